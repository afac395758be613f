#pragma once

// Tables and descriptions with faults, and the exact messages of import.

#include <string>
#include <vector>

namespace tempo::test {

struct FaultyTable {
  std::string what;
  std::string description;  ///< t.toml
  std::string table;        ///< t.csv
  std::string report;
};

inline std::vector<FaultyTable> faulty_tables() {
  using namespace std::string_literals;
  // clang-format off
  return {
    {"an empty description",
     "",
     "id,dx,a,b\n"
     "1,CN,1,2\n"
     "2,AD,3,4\n",
     "t.toml: is empty: it sets no key"},
    {"no file",
     "participant = \"id\"\n"
     "diagnosis = { column = \"dx\", healthy = [\"CN\"], diseased = [\"AD\"] }\n",
     "id,dx,a,b\n"
     "1,CN,1,2\n"
     "2,AD,3,4\n",
     "t.toml:1:1: missing key 'file' in the description; expected a string"},
    {"no participant",
     "file = \"t.csv\"\n"
     "diagnosis = { column = \"dx\", healthy = [\"CN\"], diseased = [\"AD\"] }\n",
     "id,dx,a,b\n"
     "1,CN,1,2\n"
     "2,AD,3,4\n",
     "t.toml:1:1: missing key 'participant' in the description; expected the column of ids, or row_ids = true where rows have none"},
    {"participants by column and by row",
     "file = \"t.csv\"\n"
     "participant = \"id\"\n"
     "diagnosis = { column = \"dx\", healthy = [\"CN\"], diseased = [\"AD\"] }\n"
     "row_ids = true\n",
     "id,dx,a,b\n"
     "1,CN,1,2\n"
     "2,AD,3,4\n",
     "t.toml:4:11: 'row_ids' numbers the participants that 'participant' names; give one of the two"},
    {"no diagnosis",
     "file = \"t.csv\"\n"
     "participant = \"id\"\n",
     "id,dx,a,b\n"
     "1,CN,1,2\n"
     "2,AD,3,4\n",
     "t.toml:1:1: missing key 'diagnosis' in the description; expected diagnosis = { column = \"DX\", healthy = [\"CN\"], diseased = [\"AD\"] }"},
    {"diagnosis as a column only",
     "file = \"t.csv\"\n"
     "participant = \"id\"\n"
     "diagnosis = \"dx\"\n",
     "id,dx,a,b\n"
     "1,CN,1,2\n"
     "2,AD,3,4\n",
     "t.toml:3:13: 'diagnosis' must be a table such as { column = \"DX\", healthy = [\"CN\"], diseased = [\"AD\"] }, not a string"},
    {"no labels of patients",
     "file = \"t.csv\"\n"
     "participant = \"id\"\n"
     "diagnosis = { column = \"dx\", healthy = [\"CN\"] }\n",
     "id,dx,a,b\n"
     "1,CN,1,2\n"
     "2,AD,3,4\n",
     "t.toml:3:13: missing key 'diseased' in [diagnosis]; expected a label or a list of labels"},
    {"no column of labels",
     "file = \"t.csv\"\n"
     "participant = \"id\"\n"
     "diagnosis = { healthy = [\"CN\"], diseased = [\"AD\"] }\n",
     "id,dx,a,b\n"
     "1,CN,1,2\n"
     "2,AD,3,4\n",
     "t.toml:3:13: missing key 'column' in [diagnosis]; expected a string"},
    {"a label twice",
     "file = \"t.csv\"\n"
     "participant = \"id\"\n"
     "diagnosis = { column = \"dx\", healthy = [\"CN\"], diseased = [\"AD\", \"CN\"] }\n",
     "id,dx,a,b\n"
     "1,CN,1,2\n"
     "2,AD,3,4\n",
     "t.toml:3:66: label 'CN' is given twice, in 'healthy' and in 'diseased'"},
    {"labels that are none",
     "file = \"t.csv\"\n"
     "participant = \"id\"\n"
     "diagnosis = { column = \"dx\", healthy = true, diseased = [1.5] }\n",
     "id,dx,a,b\n"
     "1,CN,1,2\n"
     "2,AD,3,4\n",
     "t.toml:3:40: 'healthy' must be a label or a list of labels (texts or whole numbers), not a boolean\n"
     "t.toml:3:58: 'diseased' must hold labels (texts or whole numbers), not a number"},
    {"an unknown key",
     "file = \"t.csv\"\n"
     "participant = \"id\"\n"
     "diagnosis = { column = \"dx\", healthy = [\"CN\"], diseased = [\"AD\"] }\n"
     "seperator = \";\"\n",
     "id,dx,a,b\n"
     "1,CN,1,2\n"
     "2,AD,3,4\n",
     "t.toml:4:1: unknown key 'seperator' in the description; expected 'schema', 'preset', 'paper', 'file', 'layout', 'separator', 'decimal', 'thousands', 'comment', 'skip', 'header', 'participant', 'row_ids', 'biomarker', 'value', 'biomarkers', 'ignore', 'visit_column', 'visit', 'baseline', 'repeated_rows', 'missing', 'missing_markers', 'censored', 'diagnosis' or 'adjust'; did you mean 'separator'?"},
    {"an unknown key of diagnosis",
     "file = \"t.csv\"\n"
     "participant = \"id\"\n"
     "diagnosis = { column = \"dx\", helthy = [\"CN\"], diseased = [\"AD\"] }\n",
     "id,dx,a,b\n"
     "1,CN,1,2\n"
     "2,AD,3,4\n",
     "t.toml:3:30: unknown key 'helthy' in [diagnosis]; expected 'column', 'healthy', 'diseased', 'drop' or 'staged'; did you mean 'healthy'?\n"
     "t.toml:3:13: missing key 'healthy' in [diagnosis]; expected a label or a list of labels"},
    {"an unknown layout",
     "file = \"t.csv\"\n"
     "participant = \"id\"\n"
     "diagnosis = { column = \"dx\", healthy = [\"CN\"], diseased = [\"AD\"] }\n"
     "layout = \"longg\"\n",
     "id,dx,a,b\n"
     "1,CN,1,2\n"
     "2,AD,3,4\n",
     "t.toml:4:10: 'layout' must be 'wide' or 'long', not 'longg'; did you mean 'long'?"},
    {"an unknown separator",
     "file = \"t.csv\"\n"
     "participant = \"id\"\n"
     "diagnosis = { column = \"dx\", healthy = [\"CN\"], diseased = [\"AD\"] }\n"
     "separator = \":\"\n",
     "id,dx,a,b\n"
     "1,CN,1,2\n"
     "2,AD,3,4\n",
     "t.toml:4:13: 'separator' must be 'auto', ',', ';', '|' or 'tab', not ':'; did you mean ','?"},
    {"an unknown decimal point",
     "file = \"t.csv\"\n"
     "participant = \"id\"\n"
     "diagnosis = { column = \"dx\", healthy = [\"CN\"], diseased = [\"AD\"] }\n"
     "decimal = \";\"\n",
     "id,dx,a,b\n"
     "1,CN,1,2\n"
     "2,AD,3,4\n",
     "t.toml:4:11: 'decimal' must be 'auto', '.' or ',', not ';'; did you mean '.'?"},
    {"skip below 0",
     "file = \"t.csv\"\n"
     "participant = \"id\"\n"
     "diagnosis = { column = \"dx\", healthy = [\"CN\"], diseased = [\"AD\"] }\n"
     "skip = -1\n",
     "id,dx,a,b\n"
     "1,CN,1,2\n"
     "2,AD,3,4\n",
     "t.toml:4:8: 'skip' must be an integer in [0, 1000000], not -1"},
    {"a schema to come",
     "file = \"t.csv\"\n"
     "participant = \"id\"\n"
     "diagnosis = { column = \"dx\", healthy = [\"CN\"], diseased = [\"AD\"] }\n"
     "schema = 2\n",
     "id,dx,a,b\n"
     "1,CN,1,2\n"
     "2,AD,3,4\n",
     "t.toml:4:10: 'schema' must be an integer in [1, 1], not 2"},
    {"an unknown preset",
     "file = \"t.csv\"\n"
     "participant = \"id\"\n"
     "diagnosis = { column = \"dx\", healthy = [\"CN\"], diseased = [\"AD\"] }\n"
     "preset = \"adni\"\n",
     "id,dx,a,b\n"
     "1,CN,1,2\n"
     "2,AD,3,4\n",
     "t.toml:4:10: 'preset' must be 'adnimerge', not 'adni'; did you mean 'adnimerge'?"},
    {"an unknown policy of missing values",
     "file = \"t.csv\"\n"
     "participant = \"id\"\n"
     "diagnosis = { column = \"dx\", healthy = [\"CN\"], diseased = [\"AD\"] }\n"
     "missing = \"impute\"\n",
     "id,dx,a,b\n"
     "1,CN,1,2\n"
     "2,AD,3,4\n",
     "t.toml:4:11: 'missing' must be 'refuse', 'drop', 'marginal' or 'mean', not 'impute'"},
    {"an unknown policy of censored values",
     "file = \"t.csv\"\n"
     "participant = \"id\"\n"
     "diagnosis = { column = \"dx\", healthy = [\"CN\"], diseased = [\"AD\"] }\n"
     "censored = \"clmap\"\n",
     "id,dx,a,b\n"
     "1,CN,1,2\n"
     "2,AD,3,4\n",
     "t.toml:4:12: 'censored' must be 'error', 'clamp' or 'missing', not 'clmap'; did you mean 'clamp'?"},
    {"an unknown visit",
     "file = \"t.csv\"\n"
     "participant = \"id\"\n"
     "diagnosis = { column = \"dx\", healthy = [\"CN\"], diseased = [\"AD\"] }\n"
     "visit_column = \"time\"\n"
     "visit = \"frist\"\n",
     "id,dx,a,b\n"
     "1,CN,1,2\n"
     "2,AD,3,4\n",
     "t.toml:5:9: 'visit' must be 'first', 'baseline' or 'last', not 'frist'; did you mean 'first'?"},
    {"visit without its column",
     "file = \"t.csv\"\n"
     "participant = \"id\"\n"
     "diagnosis = { column = \"dx\", healthy = [\"CN\"], diseased = [\"AD\"] }\n"
     "visit = \"first\"\n",
     "id,dx,a,b\n"
     "1,CN,1,2\n"
     "2,AD,3,4\n",
     "t.toml:4:9: 'visit' needs 'visit_column', the column that tells visits apart"},
    {"baseline without its name",
     "file = \"t.csv\"\n"
     "participant = \"id\"\n"
     "diagnosis = { column = \"dx\", healthy = [\"CN\"], diseased = [\"AD\"] }\n"
     "visit_column = \"time\"\n"
     "visit = \"baseline\"\n",
     "id,dx,a,b\n"
     "1,CN,1,2\n"
     "2,AD,3,4\n",
     "t.toml:5:9: visit = \"baseline\" needs 'baseline', what the visit column says of such a visit: baseline = [\"bl\"]"},
    {"the name of a baseline without visit",
     "file = \"t.csv\"\n"
     "participant = \"id\"\n"
     "diagnosis = { column = \"dx\", healthy = [\"CN\"], diseased = [\"AD\"] }\n"
     "visit_column = \"time\"\n"
     "baseline = [\"bl\"]\n",
     "id,dx,a,b\n"
     "1,CN,1,2\n"
     "2,AD,3,4\n",
     "t.toml:5:12: 'baseline' is read with visit = \"baseline\" only"},
    {"columns of a long table in a wide one",
     "file = \"t.csv\"\n"
     "participant = \"id\"\n"
     "diagnosis = { column = \"dx\", healthy = [\"CN\"], diseased = [\"AD\"] }\n"
     "value = \"v\"\n",
     "id,dx,a,b\n"
     "1,CN,1,2\n"
     "2,AD,3,4\n",
     "t.toml:4:9: 'value' is a column of long tables; expected layout = \"long\", or no such key"},
    {"numbered rows of a long table",
     "file = \"t.csv\"\n"
     "layout = \"long\"\n"
     "row_ids = true\n"
     "diagnosis = { column = \"dx\", healthy = [\"CN\"], diseased = [\"AD\"] }\n",
     "id,dx,biomarker,value\n"
     "1,CN,a,1\n",
     "t.toml:3:11: a long table has many rows of a participant: it needs 'participant'"},
    {"no biomarkers",
     "file = \"t.csv\"\n"
     "participant = \"id\"\n"
     "diagnosis = { column = \"dx\", healthy = [\"CN\"], diseased = [\"AD\"] }\n"
     "biomarkers = []\n",
     "id,dx,a,b\n"
     "1,CN,1,2\n"
     "2,AD,3,4\n",
     "t.toml:4:14: 'biomarkers' must not be empty"},
    {"a biomarker twice",
     "file = \"t.csv\"\n"
     "participant = \"id\"\n"
     "diagnosis = { column = \"dx\", healthy = [\"CN\"], diseased = [\"AD\"] }\n"
     "biomarkers = [\"a\", \"a\"]\n",
     "id,dx,a,b\n"
     "1,CN,1,2\n"
     "2,AD,3,4\n",
     "t.toml:4:20: biomarker 'a' is given twice"},
    {"biomarkers that are no list",
     "file = \"t.csv\"\n"
     "participant = \"id\"\n"
     "diagnosis = { column = \"dx\", healthy = [\"CN\"], diseased = [\"AD\"] }\n"
     "biomarkers = \"a\"\n",
     "id,dx,a,b\n"
     "1,CN,1,2\n"
     "2,AD,3,4\n",
     "t.toml:4:14: 'biomarkers' must be a list, not a string"},
    {"a biomarker that is a number",
     "file = \"t.csv\"\n"
     "participant = \"id\"\n"
     "diagnosis = { column = \"dx\", healthy = [\"CN\"], diseased = [\"AD\"] }\n"
     "biomarkers = [1]\n",
     "id,dx,a,b\n"
     "1,CN,1,2\n"
     "2,AD,3,4\n",
     "t.toml:4:15: 'biomarkers' must hold strings or tables, not an integer"},
    {"a biomarker without a name",
     "file = \"t.csv\"\n"
     "participant = \"id\"\n"
     "diagnosis = { column = \"dx\", healthy = [\"CN\"], diseased = [\"AD\"] }\n"
     "biomarkers = [{ column = \"a\" }]\n",
     "id,dx,a,b\n"
     "1,CN,1,2\n"
     "2,AD,3,4\n",
     "t.toml:4:15: missing key 'name' in an entry of 'biomarkers'; expected a string"},
    {"an unknown key of a biomarker",
     "file = \"t.csv\"\n"
     "participant = \"id\"\n"
     "diagnosis = { column = \"dx\", healthy = [\"CN\"], diseased = [\"AD\"] }\n"
     "biomarkers = [{ name = \"A\", column = \"a\", divided = \"b\" }]\n",
     "id,dx,a,b\n"
     "1,CN,1,2\n"
     "2,AD,3,4\n",
     "t.toml:4:43: unknown key 'divided' in an entry of 'biomarkers'; expected 'name', 'column', 'over', 'transform' or 'direction'"},
    {"a column of two roles",
     "file = \"t.csv\"\n"
     "participant = \"id\"\n"
     "diagnosis = { column = \"id\", healthy = [\"CN\"], diseased = [\"AD\"] }\n",
     "id,dx,a,b\n"
     "1,CN,1,2\n"
     "2,AD,3,4\n",
     "t.toml:3:24: column 'id' is 'participant' and cannot be the column of 'diagnosis' as well"},
    {"a biomarker that is the diagnosis",
     "file = \"t.csv\"\n"
     "participant = \"id\"\n"
     "diagnosis = { column = \"dx\", healthy = [\"CN\"], diseased = [\"AD\"] }\n"
     "biomarkers = [\"a\", \"dx\"]\n",
     "id,dx,a,b\n"
     "1,CN,1,2\n"
     "2,AD,3,4\n",
     "t.toml:4:20: column 'dx' is the column of 'diagnosis' and cannot be a biomarker as well"},
    {"an adjustment for nothing",
     "file = \"t.csv\"\n"
     "participant = \"id\"\n"
     "diagnosis = { column = \"dx\", healthy = [\"CN\"], diseased = [\"AD\"] }\n"
     "adjust = {}\n",
     "id,dx,a,b\n"
     "1,CN,1,2\n"
     "2,AD,3,4\n",
     "t.toml:4:10: [adjust] needs 'covariates', the columns to adjust for"},
    {"levels of no covariate",
     "file = \"t.csv\"\n"
     "participant = \"id\"\n"
     "diagnosis = { column = \"dx\", healthy = [\"CN\"], diseased = [\"AD\"] }\n"
     "adjust = { covariates = [\"age\"], levels = { aeg = [\"x\", \"y\"] } }\n",
     "id,dx,a,b\n"
     "1,CN,1,2\n"
     "2,AD,3,4\n",
     "t.toml:4:45: 'aeg' is no covariate; expected 'age'; did you mean 'age'?"},
    {"a level twice",
     "file = \"t.csv\"\n"
     "participant = \"id\"\n"
     "diagnosis = { column = \"dx\", healthy = [\"CN\"], diseased = [\"AD\"] }\n"
     "adjust = { covariates = [\"sex\"], levels = { sex = [\"F\", \"F\"] } }\n",
     "id,dx,a,b\n"
     "1,CN,1,2\n"
     "2,AD,3,4\n",
     "t.toml:4:51: a level of 'sex' is given twice"},
    {"one level",
     "file = \"t.csv\"\n"
     "participant = \"id\"\n"
     "diagnosis = { column = \"dx\", healthy = [\"CN\"], diseased = [\"AD\"] }\n"
     "adjust = { covariates = [\"sex\"], levels = { sex = [\"F\"] } }\n",
     "id,dx,a,b\n"
     "1,CN,1,2\n"
     "2,AD,3,4\n",
     "t.toml:4:51: 'sex' needs two levels or more, the reference first"},
    {"a covariate twice",
     "file = \"t.csv\"\n"
     "participant = \"id\"\n"
     "diagnosis = { column = \"dx\", healthy = [\"CN\"], diseased = [\"AD\"] }\n"
     "adjust = { covariates = [\"age\", \"age\"] }\n",
     "id,dx,a,b\n"
     "1,CN,1,2\n"
     "2,AD,3,4\n",
     "t.toml:4:33: covariate 'age' is given twice"},
    {"a biomarker adjusted for itself",
     "file = \"t.csv\"\n"
     "participant = \"id\"\n"
     "biomarkers = [\"a\", \"b\"]\n"
     "diagnosis = { column = \"dx\", healthy = [\"CN\"], diseased = [\"AD\"] }\n"
     "adjust = { covariates = [\"b\"] }\n",
     "id,dx,a,b\n"
     "1,CN,1,2\n"
     "2,AD,3,4\n",
     "t.toml:5:26: column 'b' is a biomarker and cannot be adjusted for as well"},
    {"an empty table",
     "file = \"t.csv\"\n"
     "participant = \"id\"\n"
     "diagnosis = { column = \"dx\", healthy = [\"CN\"], diseased = [\"AD\"] }\n",
     "",
     "t.csv:1:1: is empty; expected a header and rows"},
    {"comments only",
     "file = \"t.csv\"\n"
     "participant = \"id\"\n"
     "diagnosis = { column = \"dx\", healthy = [\"CN\"], diseased = [\"AD\"] }\n"
     "comment = \"#\"\n",
     "# id,dx,a\n",
     "t.csv:1:1: is empty; expected a header and rows"},
    {"a header without rows",
     "file = \"t.csv\"\n"
     "participant = \"id\"\n"
     "diagnosis = { column = \"dx\", healthy = [\"CN\"], diseased = [\"AD\"] }\n",
     "id,dx,a,b\n",
     "t.csv:1:1: has a header but no rows below it"},
    {"names given, no rows",
     "file = \"t.csv\"\n"
     "participant = \"id\"\n"
     "diagnosis = { column = \"dx\", healthy = [\"CN\"], diseased = [\"AD\"] }\n"
     "header = [\"id\", \"dx\", \"a\", \"b\"]\n",
     "\n",
     "t.csv:1:1: has no rows"},
    {"a line of counts (S1 of the lessons)",
     "file = \"t.csv\"\n"
     "participant = \"id\"\n"
     "diagnosis = { column = \"dx\", healthy = [\"CN\"], diseased = [\"AD\"] }\n",
     "2,2,1,1\n"
     "1,CN,1,2\n",
     "t.csv:1:1: the header holds numbers only; a line of counts is passed over with skip = 1, and header = [...] names the columns of a file that does not"},
    {"commas that part thousands, or decimals, in all values of a biomarker",
     "file = \"t.csv\"\n"
     "participant = \"id\"\n"
     "diagnosis = { column = \"dx\", healthy = [\"CN\"], diseased = [\"AD\"] }\n",
     "id,dx,a\n"
     "0,CN,\"1,234\"\n",
     "t.csv:2:6: a '1,234' is not a finite number; a comma that parts thousands is read with thousands = \",\", a decimal one with decimal = \",\""},
    {"one mark for thousands and decimals",
     "file = \"t.csv\"\n"
     "participant = \"id\"\n"
     "decimal = \",\"\n"
     "thousands = \",\"\n"
     "diagnosis = { column = \"dx\", healthy = [\"CN\"], diseased = [\"AD\"] }\n",
     "id,dx,a\n"
     "0,CN,1\n",
     "t.toml:4:13: 'thousands' and 'decimal' are both ','; they cannot be the same"},
    {"columns without a name, and none with one",
     "file = \"t.csv\"\n"
     "participant = \"id\"\n"
     "diagnosis = { column = \"dx\", healthy = [\"CN\"], diseased = [\"AD\"] }\n",
     ",id,dx,\n"
     "0,1,CN,1\n",
     "t.toml:1:1: t.csv has no column left for a biomarker"},
    {"a column twice",
     "file = \"t.csv\"\n"
     "participant = \"id\"\n"
     "diagnosis = { column = \"dx\", healthy = [\"CN\"], diseased = [\"AD\"] }\n",
     "id,dx,a,a\n"
     "1,CN,1,2\n",
     "t.csv:1:9: column 4 is named 'a' as column 3 is"},
    {"columns that are not there, all at once",
     "file = \"t.csv\"\n"
     "participant = \"di\"\n"
     "diagnosis = { column = \"DX\", healthy = [\"CN\"], diseased = [\"AD\"] }\n",
     "id,dx,a,b\n"
     "1,CN,1,2\n"
     "2,AD,3,4\n",
     "t.toml:2:15: t.csv has no column 'di'; did you mean 'id'? (it has id, dx, a, b)\n"
     "t.toml:3:24: t.csv has no column 'DX'; did you mean 'dx'? (it has id, dx, a, b)"},
    {"a biomarker that is not there",
     "file = \"t.csv\"\n"
     "participant = \"id\"\n"
     "diagnosis = { column = \"dx\", healthy = [\"CN\"], diseased = [\"AD\"] }\n"
     "biomarkers = [\"a\", \"c\", { name = \"r\", column = \"a\", over = \"icv\" }]\n",
     "id,dx,a,b\n"
     "1,CN,1,2\n"
     "2,AD,3,4\n",
     "t.toml:4:20: t.csv has no column 'c'; did you mean 'a'? (it has id, dx, a, b)\n"
     "t.toml:4:60: t.csv has no column 'icv' (it has id, dx, a, b)"},
    {"a column to ignore that is not there",
     "file = \"t.csv\"\n"
     "participant = \"id\"\n"
     "diagnosis = { column = \"dx\", healthy = [\"CN\"], diseased = [\"AD\"] }\n"
     "ignore = [\"age\"]\n",
     "id,dx,a,b\n"
     "1,CN,1,2\n"
     "2,AD,3,4\n",
     "t.toml:4:11: t.csv has no column 'age' (it has id, dx, a, b)"},
    {"no column left",
     "file = \"t.csv\"\n"
     "participant = \"id\"\n"
     "diagnosis = { column = \"dx\", healthy = [\"CN\"], diseased = [\"AD\"] }\n"
     "ignore = [\"a\", \"b\"]\n",
     "id,dx,a,b\n"
     "1,CN,1,2\n"
     "2,AD,3,4\n",
     "t.toml:1:1: t.csv has no column left for a biomarker"},
    {"the wrong separator",
     "file = \"t.csv\"\n"
     "participant = \"id\"\n"
     "diagnosis = { column = \"dx\", healthy = [\"CN\"], diseased = [\"AD\"] }\n"
     "separator = \";\"\n",
     "id,dx,a,b\n"
     "1,CN,1,2\n"
     "2,AD,3,4\n",
     "t.toml:2:15: t.csv has no column 'id' (it has id,dx,a,b; 'separator' says what stands between fields)\n"
     "t.toml:3:24: t.csv has no column 'dx' (it has id,dx,a,b; 'separator' says what stands between fields)"},
    {"a short and a long row",
     "file = \"t.csv\"\n"
     "participant = \"id\"\n"
     "diagnosis = { column = \"dx\", healthy = [\"CN\"], diseased = [\"AD\"] }\n",
     "id,dx,a,b\n"
     "1,CN,1\n"
     "2,AD,1,2,3\n",
     "t.csv:2:1: found 3 fields, expected 4 as in the header\n"
     "t.csv:3:1: found 5 fields, expected 4 as in the header"},
    {"no id",
     "file = \"t.csv\"\n"
     "participant = \"id\"\n"
     "diagnosis = { column = \"dx\", healthy = [\"CN\"], diseased = [\"AD\"] }\n",
     "id,dx,a,b\n"
     ",CN,1,2\n",
     "t.csv:2:1: the participant is empty"},
    {"a participant twice",
     "file = \"t.csv\"\n"
     "participant = \"id\"\n"
     "diagnosis = { column = \"dx\", healthy = [\"CN\"], diseased = [\"AD\"] }\n",
     "id,dx,a,b\n"
     "1,CN,1,2\n"
     "2,AD,3,4\n"
     "1,CN,1,2\n",
     "t.csv:4:1: participant '1' has a row already in line 2, and the two rows are equal; repeated_rows = \"drop\" leaves such copies out"},
    {"text among the measurements",
     "file = \"t.csv\"\n"
     "participant = \"id\"\n"
     "diagnosis = { column = \"dx\", healthy = [\"CN\"], diseased = [\"AD\"] }\n",
     "id,dx,a,b\n"
     "1,CN,high,2\n"
     "2,AD,inf,4\n",
     "t.csv:2:6: a 'high' is not a finite number; name its column in 'ignore' if it is no biomarker, the text in 'missing_markers' if it stands for a missing value\n"
     "t.csv:3:6: a 'inf' is not a finite number; name its column in 'ignore' if it is no biomarker, the text in 'missing_markers' if it stands for a missing value"},
    {"text among the measurements asked for",
     "file = \"t.csv\"\n"
     "participant = \"id\"\n"
     "diagnosis = { column = \"dx\", healthy = [\"CN\"], diseased = [\"AD\"] }\n"
     "biomarkers = [\"a\"]\n",
     "id,dx,a,b\n"
     "1,CN,high,x\n"
     "2,AD,1e999,4\n",
     "t.csv:2:6: a 'high' is not a finite number; name the text in 'missing_markers' if it stands for a missing value\n"
     "t.csv:3:6: a '1e999' is not a finite number; it is too large or too small for a number: name it in 'missing_markers' if it stands for a missing value"},
    {"a decimal comma",
     "file = \"t.csv\"\n"
     "participant = \"id\"\n"
     "diagnosis = { column = \"dx\", healthy = [\"CN\"], diseased = [\"AD\"] }\n",
     "id,dx,a,b\n"
     "1,CN,\"1,5\",2\n"
     "2,AD,3,4\n",
     "t.csv:2:6: a '1,5' is not a finite number; a decimal comma is read with decimal = \",\""},
    {"a thousands separator",
     "file = \"t.csv\"\n"
     "participant = \"id\"\n"
     "diagnosis = { column = \"dx\", healthy = [\"CN\"], diseased = [\"AD\"] }\n"
     "decimal = \",\"\n",
     "id;dx;a;b\n"
     "1;CN;1.234,5;2\n"
     "2;AD;3;4\n",
     "t.csv:2:6: a '1.234,5' is not a finite number; it has more than a number in it: correct it in the table"},
    {"labels that nothing names (S6 of the lessons)",
     "file = \"t.csv\"\n"
     "participant = \"id\"\n"
     "diagnosis = { column = \"dx\", healthy = [\"CN\"], diseased = [\"AD\"] }\n",
     "id,dx,a,b\n"
     "1,CN,1,2\n"
     "2,AD,1,2\n"
     "3,EMCI,1,2\n"
     "4,EMCI,1,2\n"
     "5,,1,2\n"
     "6,cn,1,2\n",
     "t.toml:3:13: diagnosis 'EMCI' (2 participants) is in none of 'healthy', 'diseased', 'drop' and 'staged'\n"
     "t.toml:3:13: 1 participant without a diagnosis, '5' in line 6 (merged cells?); drop = [\"\"] leaves such out\n"
     "t.toml:3:13: diagnosis 'cn' (1 participant: '6' in line 7) is in none of 'healthy', 'diseased', 'drop' and 'staged'; did you mean 'CN'?"},
    {"a label near one that nobody has",
     "file = \"t.csv\"\n"
     "participant = \"id\"\n"
     "diagnosis = { column = \"dx\", healthy = [\"CN\"], diseased = [\"AD\"] }\n",
     "id,dx,a,b\n"
     "1,CN,1,2\n"
     "2,Ad,1,2\n",
     "t.toml:3:13: diagnosis 'Ad' (1 participant: '2' in line 3) is in none of 'healthy', 'diseased', 'drop' and 'staged'; did you mean 'AD'?"},
    {"nobody is left",
     "file = \"t.csv\"\n"
     "participant = \"id\"\n"
     "diagnosis = { column = \"dx\", healthy = [\"CN\"], diseased = [\"AD\"], drop = [\"SMC\"] }\n",
     "id,dx,a,b\n"
     "1,SMC,1,2\n",
     "t.toml:3:13: no participant of t.csv is left"},
    {"missing values",
     "file = \"t.csv\"\n"
     "participant = \"id\"\n"
     "diagnosis = { column = \"dx\", healthy = [\"CN\"], diseased = [\"AD\"] }\n",
     "id,dx,a,b\n"
     "1,CN,,2\n"
     "2,AD,NA,4\n"
     "3,AD,5,nan\n",
     "t.csv: 3 of 6 measurements are missing; choose missing = \"drop\" (participants), \"marginal\" (leave them to the methods) or \"mean\"\n"
     "missing  healthy (of 1)  diseased (of 2)\n"
     "a                     1                1\n"
     "b                     0                1"},
    {"nobody has every value",
     "file = \"t.csv\"\n"
     "participant = \"id\"\n"
     "diagnosis = { column = \"dx\", healthy = [\"CN\"], diseased = [\"AD\"] }\n"
     "missing = \"drop\"\n",
     "id,dx,a,b\n"
     "1,CN,,2\n"
     "2,AD,3,\n",
     "t.csv: no participant has a value of every biomarker; leave some out, or choose missing = \"marginal\""},
    {"the mean of nothing",
     "file = \"t.csv\"\n"
     "participant = \"id\"\n"
     "diagnosis = { column = \"dx\", healthy = [\"CN\"], diseased = [\"AD\"] }\n"
     "missing = \"mean\"\n",
     "id,dx,a,b\n"
     "1,CN,,2\n"
     "2,AD,,4\n",
     "t.csv: biomarker 'a' has no value at all, and no mean"},
    {"censored values",
     "file = \"t.csv\"\n"
     "participant = \"id\"\n"
     "diagnosis = { column = \"dx\", healthy = [\"CN\"], diseased = [\"AD\"] }\n",
     "id,dx,a,b\n"
     "1,CN,>1700,2\n"
     "2,AD,<8,4\n",
     "t.csv:2:6: a '>1700' is beyond what is measured; choose censored = \"clamp\" (take the bound) or \"missing\"\n"
     "t.csv:3:6: a '<8' is beyond what is measured; choose censored = \"clamp\" (take the bound) or \"missing\""},
    {"a censored value without a number",
     "file = \"t.csv\"\n"
     "participant = \"id\"\n"
     "diagnosis = { column = \"dx\", healthy = [\"CN\"], diseased = [\"AD\"] }\n"
     "censored = \"clamp\"\n",
     "id,dx,a,b\n"
     "1,CN,>,2\n"
     "2,AD,<x,4\n",
     "t.csv:2:6: a '>' is not a finite number; name its column in 'ignore' if it is no biomarker, the text in 'missing_markers' if it stands for a missing value\n"
     "t.csv:3:6: a '<x' is not a finite number; name its column in 'ignore' if it is no biomarker, the text in 'missing_markers' if it stands for a missing value"},
    {"a divisor of zero",
     "file = \"t.csv\"\n"
     "participant = \"id\"\n"
     "diagnosis = { column = \"dx\", healthy = [\"CN\"], diseased = [\"AD\"] }\n"
     "biomarkers = [{ name = \"r\", column = \"a\", over = \"b\" }]\n",
     "id,dx,a,b\n"
     "1,CN,1,0\n"
     "2,AD,3,4\n",
     "t.csv:2:8: b of participant '1' is 0, and 'r' is divided by it"},
    {"a visit that is empty",
     "file = \"t.csv\"\n"
     "participant = \"id\"\n"
     "diagnosis = { column = \"dx\", healthy = [\"CN\"], diseased = [\"AD\"] }\n"
     "visit_column = \"time\"\n"
     "visit = \"first\"\n",
     "id,time,dx,a\n"
     "1,,CN,1\n"
     "2,0,AD,1\n",
     "t.csv:2:3: the visit of participant '1' is empty"},
    {"a visit that is no time",
     "file = \"t.csv\"\n"
     "participant = \"id\"\n"
     "diagnosis = { column = \"dx\", healthy = [\"CN\"], diseased = [\"AD\"] }\n"
     "visit_column = \"time\"\n"
     "visit = \"last\"\n",
     "id,time,dx,a\n"
     "1,m06,CN,1\n"
     "2,0,AD,1\n",
     "t.csv:2:3: visit 'm06' of participant '1' is neither a number nor a date such as 2008-02-29 (year, month, day): nobody can say which comes first"},
    {"a visit on a day that there is not, and one by number among dates",
     "file = \"t.csv\"\n"
     "participant = \"id\"\n"
     "diagnosis = { column = \"dx\", healthy = [\"CN\"], diseased = [\"AD\"] }\n"
     "visit_column = \"time\"\n"
     "visit = \"last\"\n",
     "id,time,dx,a\n"
     "1,2008-02-29,CN,1\n"
     "1,2009-02-29,CN,1\n"
     "2,12,AD,1\n",
     "t.csv:3:3: visit '2009-02-29' of participant '1' is neither a number nor a date such as 2008-02-29 (year, month, day): nobody can say which comes first\n"
     "t.csv:4:3: visit '12' of participant '2' is a number, and visits above are dates: nobody can say which comes first"},
    {"a label that would command a terminal",
     "file = \"t.csv\"\n"
     "participant = \"id\"\n"
     "diagnosis = { column = \"dx\", healthy = [\"CN\"], diseased = [\"AD\"] }\n",
     "id,dx,a\n"
     "1,CN,1\n"
     "2,\x1b[31mAD,3\n",
     "t.toml:3:13: diagnosis '\\x1b[31mAD' (1 participant: '2' in line 3) is in none of 'healthy', 'diseased', 'drop' and 'staged'"},
    {"a comma that may part thousands",
     "file = \"t.csv\"\n"
     "participant = \"id\"\n"
     "diagnosis = { column = \"dx\", healthy = [\"CN\"], diseased = [\"AD\"] }\n",
     "id;dx;a\n"
     "1;CN;1,234\n"
     "2;AD;3\n",
     "t.csv:2:6: a: 1 value such as '1,234' has three digits behind the comma, and 1 has no comma: if it parts thousands, say thousands = \",\"; if it is the decimal one, decimal = \",\""},
    {"points among decimal commas",
     "file = \"t.csv\"\n"
     "participant = \"id\"\n"
     "diagnosis = { column = \"dx\", healthy = [\"CN\"], diseased = [\"AD\"] }\n",
     "id;dx;a\n"
     "1;CN;1,5\n"
     "2;AD;3.5\n",
     "t.csv:3:6: a '3.5' is not a finite number; other values have decimal commas"},
    {"commas among decimal points",
     "file = \"t.csv\"\n"
     "participant = \"id\"\n"
     "diagnosis = { column = \"dx\", healthy = [\"CN\"], diseased = [\"AD\"] }\n",
     "id;dx;a\n"
     "1;CN;1.5\n"
     "2;AD;3,5\n",
     "t.csv:3:6: a '3,5' is not a finite number; a decimal comma is read with decimal = \",\""},
    {"a column whose name begins with # is no remark",
     "file = \"t.csv\"\n"
     "participant = \"#id\"\n"
     "diagnosis = { column = \"dy\", healthy = [\"CN\"], diseased = [\"AD\"] }\n",
     "#id,dx,a\n"
     "1,CN,1\n"
     "2,AD,3\n",
     "t.toml:3:24: t.csv has no column 'dy'; did you mean 'dx'? (it has #id, dx, a)"},
    {"a visit twice",
     "file = \"t.csv\"\n"
     "participant = \"id\"\n"
     "diagnosis = { column = \"dx\", healthy = [\"CN\"], diseased = [\"AD\"] }\n"
     "visit_column = \"time\"\n"
     "visit = \"first\"\n",
     "id,time,dx,a\n"
     "1,0,CN,1\n"
     "1,0,CN,2\n"
     "2,0,AD,1\n",
     "t.csv:3:1: participant '1' has a row of visit '0' already in line 2"},
    {"a visit twice, written differently",
     "file = \"t.csv\"\n"
     "participant = \"id\"\n"
     "diagnosis = { column = \"dx\", healthy = [\"CN\"], diseased = [\"AD\"] }\n"
     "visit_column = \"time\"\n"
     "visit = \"last\"\n",
     "id,time,dx,a\n"
     "1,1,CN,1\n"
     "1,1.0,CN,2\n"
     "2,0,AD,1\n",
     "t.csv:3:1: participant '1' has a row of visit '1.0' already in line 2"},
    {"a table of visits without its column",
     "file = \"t.csv\"\n"
     "participant = \"id\"\n"
     "diagnosis = { column = \"dx\", healthy = [\"CN\"], diseased = [\"AD\"] }\n"
     "visit = { keep = \"first\" }\n",
     "id,time,dx,a\n"
     "1,0,CN,1\n"
     "2,0,AD,1\n",
     "t.toml:4:9: missing key 'column' in 'visit'; expected a string"},
    {"a table of visits that keeps nothing known",
     "file = \"t.csv\"\n"
     "participant = \"id\"\n"
     "diagnosis = { column = \"dx\", healthy = [\"CN\"], diseased = [\"AD\"] }\n"
     "visit = { column = \"time\", keep = \"frist\" }\n",
     "id,time,dx,a\n"
     "1,0,CN,1\n"
     "2,0,AD,1\n",
     "t.toml:4:35: 'keep' must be 'first', 'baseline' or 'last', not 'frist'; did you mean 'first'?"},
    {"a table of visits without a name of the baseline",
     "file = \"t.csv\"\n"
     "participant = \"id\"\n"
     "diagnosis = { column = \"dx\", healthy = [\"CN\"], diseased = [\"AD\"] }\n"
     "visit = { column = \"time\", keep = \"baseline\" }\n",
     "id,time,dx,a\n"
     "1,0,CN,1\n"
     "2,0,AD,1\n",
     "t.toml:4:35: keep = \"baseline\" needs 'baseline', what the column says of such a visit: baseline = [\"bl\"]"},
    {"a table of visits with a baseline that nobody asks for",
     "file = \"t.csv\"\n"
     "participant = \"id\"\n"
     "diagnosis = { column = \"dx\", healthy = [\"CN\"], diseased = [\"AD\"] }\n"
     "visit = { column = \"time\", keep = \"last\", baseline = [\"bl\"] }\n",
     "id,time,dx,a\n"
     "1,0,CN,1\n"
     "2,0,AD,1\n",
     "t.toml:4:54: 'baseline' is read with keep = \"baseline\" only"},
    {"a table of visits and the keys it stands for",
     "file = \"t.csv\"\n"
     "participant = \"id\"\n"
     "diagnosis = { column = \"dx\", healthy = [\"CN\"], diseased = [\"AD\"] }\n"
     "visit_column = \"time\"\n"
     "visit = { column = \"time\", keep = \"last\" }\n",
     "id,time,dx,a\n"
     "1,0,CN,1\n"
     "2,0,AD,1\n",
     "t.toml:4:16: 'visit_column' and the table 'visit' say the same; give one of the two"},
    {"a visit that is neither a word nor a table",
     "file = \"t.csv\"\n"
     "participant = \"id\"\n"
     "diagnosis = { column = \"dx\", healthy = [\"CN\"], diseased = [\"AD\"] }\n"
     "visit = 1\n",
     "id,time,dx,a\n"
     "1,0,CN,1\n"
     "2,0,AD,1\n",
     "t.toml:4:9: 'visit' must be 'first', 'baseline' or 'last', not an integer"},
    {"a quote that is never closed",
     "file = \"t.csv\"\n"
     "participant = \"id\"\n"
     "diagnosis = { column = \"dx\", healthy = [\"CN\"], diseased = [\"AD\"] }\n",
     "id,dx,a,b\n"
     "1,CN,\"1,2\n"
     "2,AD,3,4\n",
     "t.csv:2:6: the quote that opens this field is never closed"},
    {"a misplaced quote",
     "file = \"t.csv\"\n"
     "participant = \"id\"\n"
     "diagnosis = { column = \"dx\", healthy = [\"CN\"], diseased = [\"AD\"] }\n",
     "id,dx,a,b\n"
     "1,CN,\"1\"x,2\n",
     "t.csv:2:9: misplaced quote in the field that begins in line 2, column 6; quotes enclose a whole field, and one inside it is doubled: \"\""},
    {"a binary file",
     "file = \"t.csv\"\n"
     "participant = \"id\"\n"
     "diagnosis = { column = \"dx\", healthy = [\"CN\"], diseased = [\"AD\"] }\n",
     "PK\000\003"s,
     "t.csv: is a binary file; expected text in UTF-8"},
    {"Latin-1",
     "file = \"t.csv\"\n"
     "participant = \"id\"\n"
     "diagnosis = { column = \"dx\", healthy = [\"CN\"], diseased = [\"AD\"] }\n",
     "id,dx,a\n"
     "1,CN\351,1\n",
     "t.csv:2:5: byte 0xE9 is not UTF-8; save the file as UTF-8"},
    {"many faults at once",
     "file = \"t.csv\"\n"
     "participant = \"id\"\n"
     "diagnosis = { column = \"dx\", healthy = [\"CN\"], diseased = [\"AD\"] }\n",
     "id,dx,a,b\n"
     ",CN,1,2\n"
     "1,CN\n"
     "2,AD,1,2\n"
     "2,AD,1,2\n",
     "t.csv:2:1: the participant is empty\n"
     "t.csv:3:1: found 2 fields, expected 4 as in the header\n"
     "t.csv:5:1: participant '2' has a row already in line 4, and the two rows are equal; repeated_rows = \"drop\" leaves such copies out"},
    {"a long table read as a wide one",
     "file = \"t.csv\"\n"
     "participant = \"id\"\n"
     "diagnosis = { column = \"dx\", healthy = [\"CN\"], diseased = [\"AD\"] }\n",
     "id,dx,biomarker,value\n"
     "1,CN,a,1\n"
     "1,CN,b,2\n",
     "t.csv:3:1: participant '1' has a row already in line 2; a cohort is one visit per participant: say which with visit_column and visit"},
    {"a wide table read as a long one",
     "file = \"t.csv\"\n"
     "layout = \"long\"\n"
     "participant = \"id\"\n"
     "diagnosis = { column = \"dx\", healthy = [\"CN\"], diseased = [\"AD\"] }\n",
     "id,dx,a,b\n"
     "1,CN,1,2\n"
     "2,AD,3,4\n",
     "t.toml:1:1: t.csv has no column 'biomarker' (it has id, dx, a, b)\n"
     "t.toml:1:1: t.csv has no column 'value' (it has id, dx, a, b)"},
    {"no biomarker in a row",
     "file = \"t.csv\"\n"
     "layout = \"long\"\n"
     "participant = \"id\"\n"
     "diagnosis = { column = \"dx\", healthy = [\"CN\"], diseased = [\"AD\"] }\n",
     "id,dx,biomarker,value\n"
     "1,CN,,1\n"
     "2,AD,a,1\n",
     "t.csv:2:6: the biomarker is empty"},
    {"a biomarker twice in a long table",
     "file = \"t.csv\"\n"
     "layout = \"long\"\n"
     "participant = \"id\"\n"
     "diagnosis = { column = \"dx\", healthy = [\"CN\"], diseased = [\"AD\"] }\n",
     "id,dx,biomarker,value\n"
     "1,CN,a,1\n"
     "2,AD,a,1\n"
     "1,CN,a,2\n",
     "t.csv:4:1: participant '1' has biomarker 'a' already in line 2; a cohort is one visit per participant: say which with visit_column and visit"},
    {"two diagnoses of a participant",
     "file = \"t.csv\"\n"
     "layout = \"long\"\n"
     "participant = \"id\"\n"
     "diagnosis = { column = \"dx\", healthy = [\"CN\"], diseased = [\"AD\"] }\n",
     "id,dx,biomarker,value\n"
     "1,CN,a,1\n"
     "1,AD,b,1\n"
     "2,AD,a,1\n",
     "t.csv:3:3: participant '1' has dx 'AD' here but 'CN' in line 2"},
    {"a biomarker that a long table lacks",
     "file = \"t.csv\"\n"
     "layout = \"long\"\n"
     "participant = \"id\"\n"
     "diagnosis = { column = \"dx\", healthy = [\"CN\"], diseased = [\"AD\"] }\n"
     "biomarkers = [\"a\", \"ABTEA\"]\n",
     "id,dx,biomarker,value\n"
     "1,CN,a,1\n"
     "1,CN,ABETA,1\n"
     "2,AD,a,1\n",
     "t.toml:5:20: t.csv has no biomarker 'ABTEA'; did you mean 'ABETA'?"},
    {"text in a long table",
     "file = \"t.csv\"\n"
     "layout = \"long\"\n"
     "participant = \"id\"\n"
     "diagnosis = { column = \"dx\", healthy = [\"CN\"], diseased = [\"AD\"] }\n",
     "id,dx,biomarker,value\n"
     "1,CN,a,x\n"
     "2,AD,a,1\n",
     "t.csv:2:8: a 'x' is not a finite number; name the text in 'missing_markers' if it stands for a missing value"},
    {"a covariate that is not there",
     "file = \"t.csv\"\n"
     "participant = \"id\"\n"
     "diagnosis = { column = \"dx\", healthy = [\"CN\"], diseased = [\"AD\"] }\n"
     "adjust = { covariates = [\"age\"] }\n",
     "id,dx,a,b\n"
     "1,CN,1,2\n"
     "2,AD,3,4\n",
     "t.toml:4:26: t.csv has no column 'age' (it has id, dx, a, b)"},
    {"too few controls (S12 of the lessons)",
     "file = \"t.csv\"\n"
     "participant = \"id\"\n"
     "diagnosis = { column = \"dx\", healthy = [\"CN\"], diseased = [\"AD\"] }\n"
     "adjust = { covariates = [\"age\"] }\n",
     "id,dx,age,a\n"
     "1,CN,60,1\n"
     "2,CN,70,2\n"
     "3,AD,80,3\n",
     "t.toml:4:26: biomarker 'a' has 2 healthy participants, too few to adjust it for age; expected 3 or more"},
    {"a covariate that is constant among controls",
     "file = \"t.csv\"\n"
     "participant = \"id\"\n"
     "diagnosis = { column = \"dx\", healthy = [\"CN\"], diseased = [\"AD\"] }\n"
     "adjust = { covariates = [\"age\"] }\n",
     "id,dx,age,a\n"
     "1,CN,60,1\n"
     "2,CN,60,2\n"
     "3,CN,60,3\n"
     "4,AD,80,3\n",
     "t.toml:4:26: biomarker 'a' cannot be adjusted: of its 3 healthy participants covariate 'age' is constant among them"},
    {"covariates that determine each other",
     "file = \"t.csv\"\n"
     "participant = \"id\"\n"
     "diagnosis = { column = \"dx\", healthy = [\"CN\"], diseased = [\"AD\"] }\n"
     "adjust = { covariates = [\"age\", \"months\"] }\n",
     "id,dx,age,months,a\n"
     "1,CN,60,720,1\n"
     "2,CN,61,732,2\n"
     "3,CN,65,780,3\n"
     "4,CN,70,840,1\n"
     "5,AD,80,960,3\n",
     "t.toml:4:26: biomarker 'a' cannot be adjusted: of its 4 healthy participants covariate 'months' is determined by the covariates before it"},
    {"a missing covariate",
     "file = \"t.csv\"\n"
     "participant = \"id\"\n"
     "diagnosis = { column = \"dx\", healthy = [\"CN\"], diseased = [\"AD\"] }\n"
     "adjust = { covariates = [\"age\"] }\n",
     "id,dx,age,a\n"
     "1,CN,60,1\n"
     "2,CN,,2\n"
     "3,CN,64,3\n"
     "4,AD,80,3\n",
     "t.toml:4:26: 1 participant lacks covariate 'age'; [adjust] missing = \"drop\" leaves them out, \"mean\" takes that of the healthy"},
    {"text as a covariate",
     "file = \"t.csv\"\n"
     "participant = \"id\"\n"
     "diagnosis = { column = \"dx\", healthy = [\"CN\"], diseased = [\"AD\"] }\n"
     "adjust = { covariates = [\"sex\"] }\n",
     "id,dx,sex,a\n"
     "1,CN,F,1\n"
     "2,CN,M,2\n"
     "3,CN,F,3\n"
     "4,AD,M,3\n",
     "t.csv:2:6: covariate sex of participant '1' and 1 more is 'F'; expected a finite number, or levels in [adjust.levels]\n"
     "t.csv:3:6: covariate sex of participant '2' and 1 more is 'M'; expected a finite number, or levels in [adjust.levels]"},
    {"a level that is not declared",
     "file = \"t.csv\"\n"
     "participant = \"id\"\n"
     "diagnosis = { column = \"dx\", healthy = [\"CN\"], diseased = [\"AD\"] }\n"
     "adjust = { covariates = [\"sex\"], levels = { sex = [\"Female\", \"Male\"] } }\n",
     "id,dx,sex,a\n"
     "1,CN,Female,1\n"
     "2,CN,Male,2\n"
     "3,CN,Femal,3\n"
     "4,AD,1,3\n",
     "t.csv:4:6: covariate sex of participant '3' is 'Femal'; expected 'Female' or 'Male'; did you mean 'Female'?\n"
     "t.csv:5:6: covariate sex of participant '4' is '1'; expected 'Female' or 'Male'"},
  };
  // clang-format on
}

}  // namespace tempo::test
