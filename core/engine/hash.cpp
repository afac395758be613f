#include "engine/hash.hpp"

#include <boost/uuid/name_generator_sha1.hpp>
#include <boost/uuid/uuid_io.hpp>

#include "data/text_file.hpp"
#include "tempo/problem.hpp"

namespace tempo {

std::string content_key(std::string_view content) {
  const boost::uuids::name_generator_sha1 generator(boost::uuids::ns::oid());
  return boost::uuids::to_string(generator(content.data(), content.size()));
}

std::string file_key(const std::filesystem::path& path) {
  Problems problems;
  const auto bytes = read_text_file(path, problems);
  problems.throw_if_any();
  return content_key(*bytes);
}

}  // namespace tempo
