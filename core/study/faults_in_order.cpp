#include "study/faults_in_order.hpp"

namespace tempo {

Problems FaultsInOrder::among(const Problems& of_reader) const {
  Problems all;
  const auto append_at = [&](std::size_t position) {
    if (const auto found = found_.find(position); found != found_.end()) all.append(found->second);
  };
  for (std::size_t i = 0; i < of_reader.size(); ++i) {
    append_at(i);
    all.add(of_reader.all()[i].place, of_reader.all()[i].message);
  }
  append_at(of_reader.size());
  return all;
}

}  // namespace tempo
