#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

struct sqlite3;
struct sqlite3_stmt;

namespace tempo {

/// A prepared statement of SQLite. Columns and parameters count from 0 and 1, as SQLite's do.
class Statement {
 public:
  Statement(sqlite3* database, std::string_view sql);
  ~Statement();
  Statement(const Statement&) = delete;
  Statement& operator=(const Statement&) = delete;

  Statement& bind(int parameter, std::string_view text);
  /// Numbers as SQLite keeps bytes, in the machine's order.
  Statement& bind(int parameter, std::span<const double> numbers);
  Statement& bind(int parameter, double number);  ///< NaN is stored as NULL
  Statement& bind(int parameter, std::int64_t number);
  /// Advances to the next row. @throws Error with SQLite's message.
  bool step();
  /// Whether the statement returns any row; it is ready to run again.
  bool any();
  /// Runs a statement that returns no rows, and makes it ready to run again.
  void run();

  /// Of the database.
  std::string file() const;
  std::string text(int column) const;
  /// NaN for NULL. @throws Error if it is no finite number
  double number(int column) const;
  /// Likewise. @throws Error if it lies outside; `high` may be infinity
  double number_between(int column, double low, double high) const;
  /// 0 for NULL. @throws Error if it is no whole number
  std::int64_t integer(int column) const;
  std::vector<double> numbers(int column) const;  ///< of a span that was bound

 private:
  [[noreturn]] void refuse(int column, const std::string& expected) const;
  void check(int code) const;
  sqlite3* database_;
  sqlite3_stmt* statement_ = nullptr;
};

/// One SQLite file: a killed process leaves it consistent, together with what lies beside it
/// (`-journal`, `-wal`).
class Database {
 public:
  enum class Mode { create, read };
  /// A file whose writer was killed is repaired, also by readers; where nothing can be written,
  /// they read a copy if they have to. On a disk that several machines share they always read a
  /// copy: such a disk may hide that the writer is alive, and a repair would undo what it is at.
  /// @throws Error if the file cannot be opened or is no database.
  Database(const std::filesystem::path& file, Mode mode);
  ~Database();
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  /// What is open: the file or, of one that can be read in no other way, a copy.
  std::string file() const;
  void execute(const std::string& sql);
  /// From here on readers and the writer do not wait for each other, unless the file is on a disk
  /// that several machines share: there a write-ahead log is not safe, and a rollback journal waits
  /// for the disk. Marks the file, so only for one that is known to be ours.
  void write_ahead();
  /// From here on a transaction that has ended outlasts a power cut.
  void endure_power_cuts();
  Statement prepare(std::string_view sql) { return Statement(handle_, sql); }

  /// @throws Error if the file was removed, or another one put in its place: whatever is written
  /// now is lost.
  void expect_in_place();

  /// Runs `work` in one transaction: all of it or, if it throws, nothing.
  template <class Work>
  void transaction(Work&& work) {
    execute("BEGIN IMMEDIATE");
    try {
      work();
      execute("COMMIT");
    } catch (...) {
      roll_back();
      throw;
    }
  }

  /// Runs `work` with another database at hand, as the schema `other`.
  template <class Work>
  void alongside(const Database& other, Work&& work) {
    prepare("ATTACH DATABASE ? AS other").bind(1, other.file()).run();
    try {
      work();
    } catch (...) {
      detach();
      throw;
    }
    detach();
  }

 private:
  class Copy;

  void open(const std::string& name, int flags);
  /// To read, what cannot be read without writing.
  void open_unrepaired(const std::filesystem::path& file);
  /// To read, a file that another machine may be writing.
  void open_copy(const std::filesystem::path& file);
  void close() noexcept;
  void detach() noexcept;
  /// Undoes the open transaction, if there is one still: the error that led here matters more.
  void roll_back() noexcept;

  std::unique_ptr<Copy> copy_;
  sqlite3* handle_ = nullptr;
  bool writes_ahead_ = false;
};

}  // namespace tempo
