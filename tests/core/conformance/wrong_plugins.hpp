#pragma once

#include <set>
#include <string>

#include "support.hpp"

namespace tempo::test {

/// The libraries of wrong_plugins/, and the shipped ones.
const Registry& wrong_plugins();

/// The ids of the checks that fail, of all that are about the plugin and not thorough.
/// @param fault  the setting of that name; empty: the plugin has no such setting
std::set<std::string> failing(const std::string& plugin, const std::string& fault);

}  // namespace tempo::test
