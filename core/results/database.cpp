#include "results/database.hpp"

#include <fmt/format.h>
#include <sqlite3.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "tempo/error.hpp"

namespace tempo {

Statement::Statement(sqlite3* database, std::string_view sql) : database_(database) {
  check(
      sqlite3_prepare_v2(database, sql.data(), static_cast<int>(sql.size()), &statement_, nullptr));
}

Statement::~Statement() { sqlite3_finalize(statement_); }

void Statement::check(int code) const {
  if (code != SQLITE_OK)
    throw Error(fmt::format("results store '{}': {}", sqlite3_db_filename(database_, "main"),
                            sqlite3_errmsg(database_)));
}

Statement& Statement::bind(int parameter, std::string_view text) {
  check(sqlite3_bind_text(statement_, parameter, text.data(), static_cast<int>(text.size()),
                          SQLITE_TRANSIENT));
  return *this;
}

Statement& Statement::bind(int parameter, std::span<const double> numbers) {
  check(sqlite3_bind_blob64(statement_, parameter, numbers.data(), numbers.size_bytes(),
                            SQLITE_TRANSIENT));
  return *this;
}

Statement& Statement::bind(int parameter, double number) {
  check(std::isnan(number) ? sqlite3_bind_null(statement_, parameter)
                           : sqlite3_bind_double(statement_, parameter, number));
  return *this;
}

Statement& Statement::bind(int parameter, std::int64_t number) {
  check(sqlite3_bind_int64(statement_, parameter, number));
  return *this;
}

bool Statement::step() {
  const int code = sqlite3_step(statement_);
  if (code == SQLITE_ROW) return true;
  if (code != SQLITE_DONE) check(code);
  return false;
}

bool Statement::any() {
  const bool found = step();
  check(sqlite3_reset(statement_));
  return found;
}

void Statement::run() {
  while (step()) {
  }
  check(sqlite3_reset(statement_));
}

std::string Statement::text(int column) const {
  const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(statement_, column));
  return text == nullptr
             ? std::string()
             : std::string(text,
                           static_cast<std::size_t>(sqlite3_column_bytes(statement_, column)));
}

double Statement::number(int column) const {
  return sqlite3_column_type(statement_, column) == SQLITE_NULL
             ? std::numeric_limits<double>::quiet_NaN()
             : sqlite3_column_double(statement_, column);
}

std::int64_t Statement::integer(int column) const {
  return sqlite3_column_int64(statement_, column);
}

std::vector<double> Statement::numbers(int column) const {
  const auto* bytes = sqlite3_column_blob(statement_, column);
  std::vector<double> out(static_cast<std::size_t>(sqlite3_column_bytes(statement_, column)) /
                          sizeof(double));
  if (bytes != nullptr) std::memcpy(out.data(), bytes, out.size() * sizeof(double));
  return out;
}

Database::Database(const std::filesystem::path& file, Mode mode) {
  const int flags =
      mode == Mode::create ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE : SQLITE_OPEN_READONLY;
  if (sqlite3_open_v2(file.c_str(), &handle_, flags, nullptr) != SQLITE_OK) {
    const std::string message = sqlite3_errmsg(handle_);
    sqlite3_close(handle_);
    throw Error(fmt::format("results store '{}': {}", file.string(), message));
  }
  sqlite3_busy_timeout(handle_, 10'000);
}

Database::~Database() {
  // A store at rest is one file, which can be read from a folder that cannot be written. Whether
  // this succeeds does not matter: another reader keeps it from happening.
  if (writes_ahead_)
    sqlite3_exec(handle_, "PRAGMA journal_mode = DELETE", nullptr, nullptr, nullptr);
  sqlite3_close(handle_);
}

void Database::write_ahead() {
  execute("PRAGMA journal_mode = WAL");
  writes_ahead_ = true;
  execute("PRAGMA synchronous = NORMAL");
}

void Database::roll_back() noexcept {
  sqlite3_exec(handle_, "ROLLBACK", nullptr, nullptr, nullptr);
}

void Database::execute(const std::string& sql) {
  char* message = nullptr;
  if (sqlite3_exec(handle_, sql.c_str(), nullptr, nullptr, &message) == SQLITE_OK) return;
  const std::string text = message == nullptr ? "unknown error" : message;
  sqlite3_free(message);
  throw Error(fmt::format("results store '{}': {}", sqlite3_db_filename(handle_, "main"), text));
}

}  // namespace tempo
