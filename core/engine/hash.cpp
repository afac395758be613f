#include "engine/hash.hpp"

#include <boost/uuid/name_generator_sha1.hpp>
#include <boost/uuid/uuid_io.hpp>
#include <fstream>
#include <sstream>

#include "tempo/problem.hpp"

namespace tempo {

std::string content_key(std::string_view content) {
  const boost::uuids::name_generator_sha1 generator(boost::uuids::ns::oid());
  return boost::uuids::to_string(generator(content.data(), content.size()));
}

std::string file_key(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream bytes;
  bytes << file.rdbuf();
  if (!file) {
    Problems problems;
    problems.add({path.string()}, "cannot be read");
    throw InputError(problems);
  }
  return content_key(bytes.view());
}

}  // namespace tempo
