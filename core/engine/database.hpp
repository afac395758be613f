#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

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
  Statement& bind(int parameter, double number);  ///< NaN is stored as NULL
  Statement& bind(int parameter, std::int64_t number);
  /// Advances to the next row. @throws Error with SQLite's message.
  bool step();
  /// Runs a statement that returns no rows, and makes it ready to run again.
  void run();

  std::string text(int column) const;
  double number(int column) const;  ///< NaN for NULL
  std::int64_t integer(int column) const;

 private:
  void check(int code) const;
  sqlite3* database_;
  sqlite3_stmt* statement_ = nullptr;
};

/// One SQLite file in write-ahead mode: a killed process leaves it consistent.
class Database {
 public:
  enum class Mode { create, read };
  /// @throws Error if the file cannot be opened or is no database.
  Database(const std::filesystem::path& file, Mode mode);
  ~Database();
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  void execute(const std::string& sql);
  Statement prepare(std::string_view sql) { return Statement(handle_, sql); }

  /// Runs `work` in one transaction: all of it or, if it throws, nothing.
  template <class Work>
  void transaction(Work&& work) {
    execute("BEGIN IMMEDIATE");
    try {
      work();
    } catch (...) {
      execute("ROLLBACK");
      throw;
    }
    execute("COMMIT");
  }

 private:
  sqlite3* handle_ = nullptr;
};

}  // namespace tempo
