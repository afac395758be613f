#pragma once

#include <boost/program_options.hpp>
#include <filesystem>
#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include "report/table.hpp"
#include "tempo/problem.hpp"

namespace tempo::cli {

struct Command;

/// Thrown once `--help` has been answered: nothing else is to be done.
struct HelpShown {};

/// An option as people meet it.
struct DeclaredOption {
  std::string name;    ///< without dashes
  std::string letter;  ///< empty: none
  std::string value;   ///< what its value is called; empty: it takes none
  std::string meaning;
  std::string fallback;                   ///< empty: none
  std::vector<std::string> choices = {};  ///< all values that there are; empty: any
  bool is_repeatable = false;
};

/// An argument without dashes as people meet it.
struct DeclaredArgument {
  std::string name;
  std::vector<std::string> choices;  ///< all values that there are; empty: any
  bool is_required = true;
  bool is_list = false;  ///< it and all that follow
};

/// Options of a sub-command and what the user gave: first its `add_options` adds them, then `parse`
/// reads the command line, then values are asked for.
///
/// Names are those without dashes, `jobs,j` for one that has a letter, too. `value` is what --help
/// calls the value of an option, such as FILE. An option with a fallback always has a value.
class Options {
 public:
  /// Those that the command declares, and --help.
  explicit Options(const Command& command);

  void text(const std::string& name, const std::string& value, const std::string& help,
            const std::optional<std::string>& fallback = {});
  /// A text that is one of these. Whoever reads it complains of others by expect_format or
  /// expect_choice, together with other faults.
  /// @param help  empty: the choices
  void choice(const std::string& name, const std::string& value,
              const std::vector<std::string>& choices, const std::string& help,
              const std::optional<std::string>& fallback = {});
  /// An option that may be given several times.
  void texts(const std::string& name, const std::string& value, const std::string& help);
  /// @tparam Number  int, std::int64_t, std::uint64_t or double
  template <class Number>
  void number(const std::string& name, const std::string& value, const std::string& help,
              const std::optional<Number>& fallback = {});
  void flag(const std::string& name, const std::string& help);
  /// One that tempo gives itself: people are not told of it.
  void hidden_flag(const std::string& name);

  /// An argument without dashes, in order.
  void positional(const std::string& name, const std::vector<std::string>& choices = {});
  void optional_positional(const std::string& name, const std::vector<std::string>& choices = {});
  /// All arguments that follow, at least one.
  void positional_list(const std::string& name);

  /// @throws InputError, one problem per fault: unknown options with the nearest one, missing
  ///   arguments; HelpShown.
  void parse(const std::vector<std::string>& arguments);
  /// Usage, options and examples, as --help shows them.
  void print_help(std::ostream& out) const;

  const Command& command() const { return command_; }
  /// In the order in which they were added; --help is the last.
  const std::vector<DeclaredOption>& declared() const { return declared_; }
  /// The choices of a declared option. @pre there is one of this name
  const std::vector<std::string>& choices(const std::string& name) const;
  const std::vector<DeclaredArgument>& arguments() const { return arguments_; }
  bool has(const std::string& name) const { return values_.count(name) > 0; }
  /// Whether its value is the option's fallback, and nobody's choice.
  bool is_default(const std::string& name) const { return values_[name].defaulted(); }
  /// The value of an option that was given or has a fallback.
  template <class T>
  const T& get(const std::string& name) const {
    return values_[name].as<T>();
  }
  const std::string& get_text(const std::string& name) const { return get<std::string>(name); }
  /// The value of an option that names a file or folder; empty if it was not given.
  std::filesystem::path path(const std::string& name) const;
  /// The values of an option that may be repeated, or of a list of arguments; none if it was not
  /// given.
  std::vector<std::string> list(const std::string& name) const;
  /// The value of an argument without dashes that was given.
  std::string argument(const std::string& name) const { return list(name).front(); }

 private:
  void declare(const std::string& name, const std::string& value, const std::string& help,
               const std::string& fallback = {});
  void add_positional(DeclaredArgument argument);
  void read(const std::vector<std::string>& arguments);
  void complain(const std::string& message, Problems& problems) const;

  const Command& command_;
  boost::program_options::options_description described_;
  boost::program_options::options_description hidden_;
  boost::program_options::positional_options_description positional_;
  std::vector<DeclaredOption> declared_;
  std::vector<DeclaredArgument> arguments_;
  boost::program_options::variables_map values_;
};

/// A problem with the command line itself.
Place command_line(const Command& command);

/// Complains that an option, which has to be given, was not. @param value  as Options have it
void expect_given(const Options& options, const std::string& option, const std::string& value,
                  Problems& problems);
/// Complains of a --format that is none of these.
void expect_format(const Options& options, const std::vector<std::string>& formats,
                   Problems& problems);
/// The same of those that the command declares.
void expect_format(const Options& options, Problems& problems);
/// The format of --format, which is one of a table's. @pre expect_format had no complaint
TableFormat format_of(const Options& options);
/// Complains if the value of an option is none of its declared choices.
void expect_choice(const Options& options, const std::string& option, Problems& problems);
/// Complains if the number of an option is not in [low, high].
template <class Number>
void expect_between(const Options& options, const std::string& option, Number low, Number high,
                    Problems& problems);
/// Complains if a file is there that an option such as `out` names.
void expect_new_file(const std::filesystem::path& file, const std::string& option,
                     Problems& problems);
/// Complains if what an option such as `out` names, if it is given, is one of the files that are
/// read, or that a run keeps in its folder.
void refuse_overwriting(const Options& options, const std::string& option,
                        const std::vector<std::filesystem::path>& inputs, Problems& problems);

/// Writes a text to the file of --out, or else to standard output.
void put_out(const Options& options, const std::string& text);

}  // namespace tempo::cli
