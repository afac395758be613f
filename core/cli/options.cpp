#include "cli/options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <iostream>

#include "cli/command.hpp"
#include "cli/screen.hpp"
#include "data/text_file.hpp"
#include "report/text_layout.hpp"
#include "run/run_folder.hpp"

namespace tempo::cli {
namespace po = boost::program_options;

namespace {

/// `usage: tempo run EXPERIMENT.toml [options]`, in lines that end within no brackets.
std::string usage_of(const Command& command) {
  constexpr char kNoBreak = '\1';
  auto text = fmt::format("usage: tempo {} {}", command.name, command.arguments);
  int depth = 0;
  for (char& c : text) {
    depth += c == '[' ? 1 : c == ']' ? -1 : 0;
    if (c == ' ' && depth > 0) c = kNoBreak;
  }
  const std::string usage = "usage: ";
  auto out = fmt::format("{}", fmt::join(wrapped(text, screen_width(), usage.size()), "\n"));
  std::replace(out.begin(), out.end(), kNoBreak, ' ');
  return out;
}

}  // namespace

Options::Options(const Command& command) : command_(command), described_("options") {
  command.add_options(*this);
  flag("help,h", "show this help");
}

void Options::declare(const std::string& name, const std::string& value, const std::string& help,
                      const std::string& fallback) {
  const auto comma = std::min(name.find(','), name.size());
  declared_.push_back({name.substr(0, comma), name.substr(std::min(comma + 1, name.size())), value,
                       help, fallback});
}

void Options::text(const std::string& name, const std::string& value, const std::string& help,
                   const std::optional<std::string>& fallback) {
  auto* kind = po::value<std::string>()->value_name(value);
  if (fallback) kind->default_value(*fallback);
  described_.add_options()(name.c_str(), kind, help.c_str());
  declare(name, value, help, fallback.value_or(""));
}

void Options::choice(const std::string& name, const std::string& value,
                     const std::vector<std::string>& choices, const std::string& help,
                     const std::optional<std::string>& fallback) {
  text(name, value, help.empty() ? one_of(choices) : help, fallback);
  declared_.back().choices = choices;
}

void Options::texts(const std::string& name, const std::string& value, const std::string& help) {
  described_.add_options()(name.c_str(), po::value<std::vector<std::string>>()->value_name(value),
                           help.c_str());
  declare(name, value, help);
  declared_.back().is_repeatable = true;
}

template <class Number>
void Options::number(const std::string& name, const std::string& value, const std::string& help,
                     const std::optional<Number>& fallback) {
  auto* kind = po::value<Number>()->value_name(value);
  const auto text = fallback ? fmt::format("{}", *fallback) : std::string();
  if (fallback) kind->default_value(*fallback, text);
  described_.add_options()(name.c_str(), kind, help.c_str());
  declare(name, value, help, text);
}
template void Options::number(const std::string&, const std::string&, const std::string&,
                              const std::optional<int>&);
template void Options::number(const std::string&, const std::string&, const std::string&,
                              const std::optional<std::int64_t>&);
template void Options::number(const std::string&, const std::string&, const std::string&,
                              const std::optional<std::uint64_t>&);
template void Options::number(const std::string&, const std::string&, const std::string&,
                              const std::optional<double>&);

void Options::flag(const std::string& name, const std::string& help) {
  described_.add_options()(name.c_str(), help.c_str());
  declare(name, "", help);
}

void Options::hidden_flag(const std::string& name) { hidden_.add_options()(name.c_str(), ""); }

void Options::add_positional(DeclaredArgument argument) {
  const auto& name = argument.name;
  hidden_.add_options()(name.c_str(), po::value<std::vector<std::string>>());
  positional_.add(name.c_str(), argument.is_list ? -1 : 1);
  arguments_.push_back(std::move(argument));
}

void Options::positional(const std::string& name, const std::vector<std::string>& choices) {
  add_positional({name, choices, true});
}

void Options::optional_positional(const std::string& name,
                                  const std::vector<std::string>& choices) {
  add_positional({name, choices, false});
}

void Options::positional_list(const std::string& name) { add_positional({name, {}, true, true}); }

void Options::complain(const std::string& message, Problems& problems) const {
  problems.add(command_line(command_),
               fmt::format("{} (see tempo {} --help)", message, command_.name));
}

void Options::read(const std::vector<std::string>& arguments) {
  po::options_description all;
  all.add(described_).add(hidden_);
  // No guessing of abbreviated options: a typo must not become another option.
  const auto style = po::command_line_style::unix_style & ~po::command_line_style::allow_guessing;
  po::store(
      po::command_line_parser(arguments).options(all).positional(positional_).style(style).run(),
      values_);
  po::notify(values_);
}

void Options::parse(const std::vector<std::string>& arguments) {
  Problems problems;
  try {
    read(arguments);
  } catch (const po::unknown_option& error) {
    std::vector<std::string> known;
    for (const auto& option : described_.options()) known.push_back("--" + option->long_name());
    complain(fmt::format("unknown option '{}'{}", error.get_option_name(),
                         did_you_mean(error.get_option_name(), known)),
             problems);
  } catch (const po::too_many_positional_options_error&) {
    complain(
        fmt::format("too many arguments; usage: tempo {} {}", command_.name, command_.arguments),
        problems);
  } catch (const po::error& error) {
    complain(error.what(), problems);
  }
  problems.throw_if_any();
  if (has("help")) {
    print_help(std::cout);
    throw HelpShown();
  }
  for (const auto& [name, choices, is_required, is_list] : arguments_)
    if (is_required && !has(name))
      complain(fmt::format("{} is missing{}", name,
                           choices.empty() ? "" : "; expected " + one_of(choices)),
               problems);
  problems.throw_if_any();
}

void Options::print_help(std::ostream& out) const {
  out << usage_of(command_) << "\n\n"
      << command_.summary << "\n\n"
      << described_ << "\nexamples:\n";
  for (const auto& [line, meaning] : command_.examples)
    out << fmt::format("  {}\n      {}\n", line, meaning);
}

const std::vector<std::string>& Options::choices(const std::string& name) const {
  return std::find_if(declared_.begin(), declared_.end(),
                      [&](const DeclaredOption& option) { return option.name == name; })
      ->choices;
}

std::filesystem::path Options::path(const std::string& name) const {
  return has(name) ? std::filesystem::path(get_text(name)) : std::filesystem::path();
}

std::vector<std::string> Options::list(const std::string& name) const {
  return has(name) ? get<std::vector<std::string>>(name) : std::vector<std::string>();
}

Place command_line(const Command& command) { return {fmt::format("tempo {}", command.name)}; }

void expect_given(const Options& options, const std::string& option, const std::string& value,
                  Problems& problems) {
  const auto& command = options.command();
  if (!options.has(option))
    problems.add(command_line(command), fmt::format("--{} {} is missing (see tempo {} --help)",
                                                    option, value, command.name));
}

void expect_format(const Options& options, const std::vector<std::string>& formats,
                   Problems& problems) {
  const auto& format = options.get_text("format");
  if (std::find(formats.begin(), formats.end(), format) == formats.end())
    problems.add(command_line(options.command()),
                 fmt::format("unknown format '{}'; expected {}{}", format, one_of(formats),
                             did_you_mean(format, formats)));
}

TableFormat format_of(const Options& options) {
  return table_format(options.get_text("format")).value();
}

void expect_format(const Options& options, Problems& problems) {
  expect_format(options, options.choices("format"), problems);
}
void expect_choice(const Options& options, const std::string& option, Problems& problems) {
  const auto& given = options.get_text(option);
  const auto& choices = options.choices(option);
  if (std::find(choices.begin(), choices.end(), given) == choices.end())
    problems.add({"--" + option}, fmt::format("must be {}, not '{}'{}", one_of(choices), given,
                                              did_you_mean(given, choices)));
}

template <class Number>
void expect_between(const Options& options, const std::string& option, Number low, Number high,
                    Problems& problems) {
  const auto given = options.get<Number>(option);
  if (given < low || given > high)
    problems.add({"--" + option},
                 fmt::format("must be between {} and {}, not {}", low, high, given));
}
template void expect_between(const Options&, const std::string&, int, int, Problems&);
template void expect_between(const Options&, const std::string&, std::int64_t, std::int64_t,
                             Problems&);

void expect_new_file(const std::filesystem::path& file, const std::string& option,
                     Problems& problems) {
  if (std::filesystem::exists(file))
    problems.add({"--" + option},
                 fmt::format("'{}' exists; remove it, or choose another name", file.string()));
}

void refuse_overwriting(const Options& options, const std::string& option,
                        const std::vector<std::filesystem::path>& inputs, Problems& problems) {
  const auto out = options.path(option);
  std::error_code ignored;
  for (const auto& input : inputs)
    if (std::filesystem::equivalent(out, input, ignored))
      problems.add({"--" + option},
                   fmt::format("'{}' is read, and would be overwritten", out.string()));
  if (RunFolder::keeps(out))
    problems.add({"--" + option},
                 fmt::format("'{}' belongs to a run, and would be overwritten", out.string()));
}

void put_out(const Options& options, const std::string& text) {
  if (const auto out = options.path("out"); !out.empty())
    write_text_file(out, text);
  else
    std::cout << text;
}

}  // namespace tempo::cli
