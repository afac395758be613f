#include "results/database.hpp"

#include <fmt/format.h>
#include <sqlite3.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <limits>
#include <system_error>
#include <thread>

#include "results/disk.hpp"
#include "tempo/error.hpp"

namespace tempo {
namespace {

/// What the system refused last of a file; 0 if nothing.
int last_fault(sqlite3_file* file) {
  int number = 0;
  if (file != nullptr && file->pMethods != nullptr)
    file->pMethods->xFileControl(file, SQLITE_FCNTL_LAST_ERRNO, &number);
  return number;
}

/// The number of what the system refused during the last call; 0 if it refused nothing. SQLite
/// takes a file that the disk does not give for one that is damaged, and tells only of some calls.
int system_fault(sqlite3* database) {
  const auto code = sqlite3_errcode(database) & 0xFF;
  if (code != SQLITE_IOERR && code != SQLITE_CANTOPEN && code != SQLITE_CORRUPT) return 0;
  int number = code == SQLITE_CORRUPT ? 0 : sqlite3_system_errno(database);
  for (const auto* schema : {"main", "other"})
    for (const int which : {SQLITE_FCNTL_FILE_POINTER, SQLITE_FCNTL_JOURNAL_POINTER}) {
      sqlite3_file* file = nullptr;
      if (number == 0 && sqlite3_file_control(database, schema, which, &file) == SQLITE_OK)
        number = last_fault(file);
    }
  return number;
}

/// Whether the file of a database is no longer where it was opened.
bool has_moved(sqlite3* database) {
  int moved = 0;
  return sqlite3_file_control(database, "main", SQLITE_FCNTL_HAS_MOVED, &moved) == SQLITE_OK &&
         moved != 0;
}

/// What the last call says of its failure: SQLite's words, and those of the system.
std::string what_failed(sqlite3* database) {
  const int last = errno;  // of this call or, where SQLite has tidied up since, of one in between
  const std::string words = sqlite3_errmsg(database);
  auto number = system_fault(database);
  const int code = sqlite3_errcode(database) & 0xFF;
  if (number == 0 && (code == SQLITE_IOERR || code == SQLITE_READONLY))
    for (const int fault : {EIO, ENOSPC, EDQUOT, EROFS, EACCES, EFBIG})
      if (last == fault) number = fault;
  // SQLite does not always keep why.
  if (number == 0 && sqlite3_extended_errcode(database) == SQLITE_IOERR_DELETE)
    return words + " (a file beside it cannot be removed)";
  if (number == 0 && code == SQLITE_READONLY && has_moved(database))
    return words + " (it was removed, or replaced, while it was being written)";
  if (number == 0 && code == SQLITE_READONLY)
    return words + " (it, or a file beside it, cannot be opened for writing)";
  return number == 0 ? words : fmt::format("{} ({})", words, std::strerror(number));
}

}  // namespace

Statement::Statement(sqlite3* database, std::string_view sql) : database_(database) {
  check(
      sqlite3_prepare_v2(database, sql.data(), static_cast<int>(sql.size()), &statement_, nullptr));
}

Statement::~Statement() { sqlite3_finalize(statement_); }

void Statement::check(int code) const {
  if (code != SQLITE_OK)
    throw Error(fmt::format("results store '{}': {}", file(), what_failed(database_)));
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
  errno = 0;
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

std::string Statement::file() const { return sqlite3_db_filename(database_, "main"); }

std::string Statement::text(int column) const {
  const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(statement_, column));
  return text == nullptr
             ? std::string()
             : std::string(text,
                           static_cast<std::size_t>(sqlite3_column_bytes(statement_, column)));
}

void Statement::refuse(int column, const std::string& expected) const {
  const bool is_text = sqlite3_column_type(statement_, column) != SQLITE_BLOB;
  throw Error(fmt::format("results store '{}': it is damaged: {} is {}, expected {}", file(),
                          sqlite3_column_name(statement_, column),
                          is_text ? "'" + text(column) + "'" : "a row of bytes", expected));
}

double Statement::number(int column) const {
  const int type = sqlite3_column_type(statement_, column);
  if (type == SQLITE_NULL) return std::numeric_limits<double>::quiet_NaN();
  const double out = sqlite3_column_double(statement_, column);
  // SQLite would take a text for the number that it begins with, or for 0.
  if ((type != SQLITE_FLOAT && type != SQLITE_INTEGER) || !std::isfinite(out))
    refuse(column, "a number");
  return out;
}

double Statement::number_between(int column, double low, double high) const {
  const double out = number(column);
  if (out < low || out > high)
    refuse(column, std::isinf(high) ? fmt::format("a number of at least {}", low)
                                    : fmt::format("{} to {}", low, high));
  return out;
}

std::int64_t Statement::integer(int column) const {
  const int type = sqlite3_column_type(statement_, column);
  if (type != SQLITE_INTEGER && type != SQLITE_NULL) refuse(column, "a whole number");
  return sqlite3_column_int64(statement_, column);
}

std::vector<double> Statement::numbers(int column) const {
  const auto* bytes = sqlite3_column_blob(statement_, column);
  std::vector<double> out(static_cast<std::size_t>(sqlite3_column_bytes(statement_, column)) /
                          sizeof(double));
  if (!out.empty()) std::memcpy(out.data(), bytes, out.size() * sizeof(double));
  return out;
}

namespace {

namespace fs = std::filesystem;

/// What SQLite keeps beside a file: what a writer that was killed leaves there is a part of it.
constexpr std::array kBeside{"-journal", "-wal"};

fs::path beside(const fs::path& file, const char* ending) { return file.string() + ending; }

/// The code of the first read; opening alone reads nothing.
int try_to_read(sqlite3* handle) {
  return sqlite3_exec(handle, "SELECT count(*) FROM sqlite_master", nullptr, nullptr, nullptr);
}

/// Whether a code says that a reader would have to write first, and must not.
bool needs_to_write(int code) {
  return (code & 0xFF) == SQLITE_READONLY || (code & 0xFF) == SQLITE_CANTOPEN;
}

/// What changes with each transaction of a store's writer: of the file and what lies beside it the
/// sizes and times, and the counter that SQLite keeps in the file.
std::vector<std::string> stamp_of(const fs::path& file) {
  std::vector<std::string> out;
  std::vector<fs::path> paths{file};
  for (const auto* ending : kBeside) paths.push_back(beside(file, ending));
  for (const auto& path : paths) {
    std::error_code none;
    const auto size = fs::file_size(path, none);
    const auto time = fs::last_write_time(path, none).time_since_epoch().count();
    out.push_back(none ? "" : fmt::format("{} {}", size, time));
  }
  constexpr std::streamoff kCounterAt = 24;
  std::array<char, 4> counter{};
  std::ifstream in(file, std::ios::binary);
  in.seekg(kCounterAt).read(counter.data(), counter.size());
  out.emplace_back(counter.data(), counter.size());
  return out;
}

/// Whether SQLite finds nothing wrong with a file.
bool is_whole(sqlite3* handle) {
  std::string said;
  const auto keep = [](void* to, int, char** texts, char**) {
    if (texts[0] != nullptr) *static_cast<std::string*>(to) += texts[0];
    return 0;
  };
  return sqlite3_exec(handle, "PRAGMA quick_check(1)", keep, &said, nullptr) == SQLITE_OK &&
         said == "ok";
}

/// Whether a file was not copied because it was removed meanwhile, as far as the disk knows.
bool was_removed(const fs::filesystem_error& fault, const fs::path& file) {
  const auto code = fault.code().value();
  return (code == ENOENT || code == ESTALE) && fault.path1().parent_path() == file.parent_path();
}

}  // namespace

/// A copy of a store, with what lies beside it, in a folder of its own.
class Database::Copy {
 public:
  /// @throws std::filesystem::filesystem_error
  explicit Copy(const fs::path& file) {
    try {
      auto folder = (fs::temp_directory_path() / "tempo-store-XXXXXX").string();
      if (mkdtemp(folder.data()) == nullptr)
        throw fs::filesystem_error("cannot make a folder", folder,
                                   std::error_code(errno, std::generic_category()));
      folder_ = folder;
      fs::copy_file(file, this->file());
      make_writable(this->file());
      for (const auto* ending : kBeside) {
        std::error_code failure;  // a writer that is done with it removes it at any time
        fs::copy_file(beside(file, ending), beside(this->file(), ending), failure);
        if (!failure)
          make_writable(beside(this->file(), ending));
        else if (failure != std::errc::no_such_file_or_directory)
          throw fs::filesystem_error("cannot copy", beside(file, ending), failure);
      }
    } catch (const fs::filesystem_error&) {
      remove();
      throw;
    }
  }
  ~Copy() { remove(); }
  Copy(const Copy&) = delete;
  Copy& operator=(const Copy&) = delete;

  fs::path file() const { return folder_ / "results.sqlite"; }

 private:
  /// As the repair needs.
  static void make_writable(const fs::path& file) {
    fs::permissions(file, fs::perms::owner_write, fs::perm_options::add);
  }

  void remove() noexcept {
    std::error_code ignored;
    if (!folder_.empty()) fs::remove_all(folder_, ignored);
  }

  fs::path folder_;
};

Database::Database(const fs::path& file, Mode mode) {
  std::error_code failure;
  if (mode == Mode::read && is_on_network_disk(file) && fs::exists(file, failure)) {
    open_copy(file);
  } else if (mode == Mode::create) {
    open(file.string(), SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE);
  } else {
    open(file.string(), SQLITE_OPEN_READONLY);
    if (needs_to_write(try_to_read(handle_))) open_unrepaired(file);
  }
}

void Database::open_unrepaired(const fs::path& file) {
  // Whoever may write repairs it by reading.
  close();
  open(file.string(), SQLITE_OPEN_READWRITE);
  const auto code = try_to_read(handle_);
  close();
  if (!needs_to_write(code)) return open(file.string(), SQLITE_OPEN_READONLY);
  try {
    copy_ = std::make_unique<Copy>(file);
  } catch (const fs::filesystem_error& fault) {
    throw Error(fmt::format(
        "results store '{}': whoever wrote it last was killed or is not done, so reading it needs "
        "files beside it, where nothing can be written, and a copy failed ({}); copy its whole "
        "folder to where there is room, and name that one",
        file.string(), fault.code().message()));
  }
  open(copy_->file().string(), SQLITE_OPEN_READWRITE);
}

void Database::open_copy(const fs::path& file) {
  constexpr int kTries = 50;
  std::vector<std::string> damaged;
  for (int i = 0; i < kTries; ++i) {
    if (i > 0) std::this_thread::sleep_for(std::chrono::milliseconds(100));
    const auto before = stamp_of(file);
    try {
      copy_ = std::make_unique<Copy>(file);
    } catch (const fs::filesystem_error& fault) {
      if (was_removed(fault, file) && i + 1 < kTries) continue;
      throw Error(fmt::format(
          "results store '{}': is on a disk that several machines share, so it is read from a copy "
          "in the folder of temporary files, and that copy failed ({}); TMPDIR names another folder",
          file.string(), fault.code().message()));
    }
    // A writer that was at it meanwhile may have left the copy half old and half new.
    if (stamp_of(file) != before) continue;
    open(copy_->file().string(), SQLITE_OPEN_READWRITE);
    // The same damage twice stays: the error is that of whoever reads it.
    if (is_whole(handle_) || before == damaged) return;
    close();
    damaged = before;
  }
  throw Error(fmt::format("results store '{}': is being written; try again", file.string()));
}

void Database::open(const std::string& name, int flags) {
  if (sqlite3_open_v2(name.c_str(), &handle_, flags, nullptr) != SQLITE_OK) {
    const auto message = what_failed(handle_);
    close();
    throw Error(fmt::format("results store '{}': {}", name, message));
  }
  // SQLite opens what it may not write for reading, and says so at the first write.
  if ((flags & SQLITE_OPEN_CREATE) != 0 && sqlite3_db_readonly(handle_, "main") == 1) {
    close();
    const bool is_told = ::eaccess(name.c_str(), W_OK) != 0;
    throw Error(fmt::format(
        "results store '{}': can be read but not written ({})", name,
        is_told ? std::strerror(errno) : "no permission, or a disk that is mounted for reading"));
  }
  sqlite3_busy_timeout(handle_, 10'000);
  // What a file of somebody else holds is data: nothing in it is carried out.
  sqlite3_db_config(handle_, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
  sqlite3_db_config(handle_, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, nullptr);
  sqlite3_db_config(handle_, SQLITE_DBCONFIG_ENABLE_VIEW, 0, nullptr);
}

void Database::close() noexcept {
  sqlite3_close(handle_);
  handle_ = nullptr;
}

Database::~Database() {
  // A store at rest is one file, which can be read from a folder that cannot be written. Whether
  // this succeeds does not matter: another reader keeps it from happening.
  if (writes_ahead_)
    sqlite3_exec(handle_, "PRAGMA journal_mode = DELETE", nullptr, nullptr, nullptr);
  close();
}

void Database::write_ahead() {
  if (is_on_network_disk(sqlite3_db_filename(handle_, "main"))) {
    execute("PRAGMA journal_mode = DELETE");
    execute("PRAGMA synchronous = FULL");
    return;
  }
  execute("PRAGMA journal_mode = WAL");
  writes_ahead_ = true;
  execute("PRAGMA synchronous = NORMAL");
}

std::string Database::file() const { return sqlite3_db_filename(handle_, "main"); }

void Database::expect_in_place() {
  if (has_moved(handle_))
    throw Error(fmt::format(
        "results store '{}': was removed, or replaced, while it was being written; what it held is "
        "lost, and the same command makes it again",
        file()));
}

void Database::detach() noexcept {
  sqlite3_exec(handle_, "DETACH DATABASE other", nullptr, nullptr, nullptr);
}

// EXTRA also waits until the folder says that the journal is gone.
void Database::endure_power_cuts() { execute("PRAGMA synchronous = EXTRA"); }

void Database::roll_back() noexcept {
  sqlite3_exec(handle_, "ROLLBACK", nullptr, nullptr, nullptr);
}

void Database::execute(const std::string& sql) {
  if (sqlite3_exec(handle_, sql.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK)
    throw Error(fmt::format("results store '{}': {}", file(), what_failed(handle_)));
}

}  // namespace tempo
