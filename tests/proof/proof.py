"""What the campaigns share: a small workplace, what is done in it, and one line of result."""
import argparse
import csv
import hashlib
import io
import json
import os
import random
import re
import resource
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from pathlib import Path

TABLE = """schema = 1
name = "five"
biomarker = [
  { name = "b0", pre_event = { mean = 0.0, sd = 1.0 }, post_event = { mean = 3.0, sd = 1.0 } },
  { name = "b1", pre_event = { mean = 0.0, sd = 1.0 }, post_event = { mean = 3.0, sd = 1.5 } },
  { name = "b2", pre_event = { mean = 0.0, sd = 1.0 }, post_event = { mean = -2.0, sd = 2.0 } },
  { name = "b3", pre_event = { mean = 0.0, sd = 1.0 }, post_event = { mean = 4.0, sd = 1.0 } },
]
"""
EXPERIMENT = """schema = 1
seed = 7
[cohorts]
biomarkers = "five.toml"
participants = 40
test = {cohorts}
[[hypothesis]]
plugin = "h3"
[[hypothesis]]
plugin = "h6"
[[method]]
plugin = "debm"
[[method]]
plugin = "chance"
"""
LEARNER = """[[method]]
plugin = "learner"
"""
NETWORK = """[[method]]
plugin = "tempo"
train_on = ["h3"]
epochs = 2
samples = 16
batch = 8
validation_cohorts = 2
"""
CLINIC = """file = "clinic.csv"
participant = "ID"
missing = "drop"
diagnosis = { column = "DX", healthy = ["CN"], diseased = ["AD"] }
"""
# After so long a campaign says how far it is.
SECONDS_OF_SILENCE = 60.0
# What differs from run to run: times, numbers of processes.
CHANGING = {"run.log", "run.state", "run.lock"}
STORE = "results.sqlite"
# A store at rest is one file; another may lie beside it until the next command.
BESIDE_STORE = tuple(STORE + ending for ending in ("-wal", "-shm", "-journal"))


def is_for_a_terminal(text):
    """Whether bytes are UTF-8, and none of them steers a terminal."""
    try:
        return not re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]", text.decode())
    except UnicodeDecodeError:
        return False


class Outcome:
    """What a command left: its exit code (below 0: a signal), what it printed, whether it had to be ended, and the
    processor seconds and bytes of memory that it took."""

    def __init__(self, code, output, errors, timed_out, usage):
        self.code, self.timed_out = code, timed_out
        self.output, self.errors = (text.decode(errors="replace") for text in (output, errors))
        self.may_be_shown = all(is_for_a_terminal(text) for text in (output, errors))
        self.seconds = usage.ru_utime + usage.ru_stime
        self.memory = usage.ru_maxrss * 1024

    def crashed_at_end(self):
        """Whether it says that something crashed when its work was done, which changes no exit code."""
        return "a crash after tempo had done its work" in self.errors

    def __str__(self):
        ended = "had to be ended" if self.timed_out else f"exit code {self.code}"
        return f"{ended}; standard error: {self.errors.strip()[-600:] or 'nothing'}"


class Workplace:
    """A folder of its own, in which tempo runs."""

    def __init__(self, options):
        self.tempo = str(Path(options.tempo).resolve())
        self.probes = str(Path(options.probes).resolve()) if options.probes else None
        self.root = Path(tempfile.mkdtemp(prefix="tempo-proof-"))
        self.root.chmod(0o755)  # others run tempo here, too
        self.keep = options.keep
        self.kept = 0

    def close(self):
        if self.keep:
            print(f"kept: {self.root}", file=sys.stderr)
            return
        for folder, _, _ in os.walk(self.root):
            os.chmod(folder, 0o700)
        shutil.rmtree(self.root)

    def environment(self, extra=None):
        kept = {name: value for name, value in os.environ.items()
                if not name.startswith(("TEMPO_", "XDG_", "LC_", "LANG"))}
        kept.update({"XDG_DATA_HOME": str(self.root), "COLUMNS": "120"})
        if self.probes:
            kept["TEMPO_PLUGIN_PATH"] = self.probes
        kept.update(extra or {})
        return kept

    def run(self, arguments, folder, extra=None, limits=None, seconds=120, before=None, **streams):
        """`tempo ARGUMENTS` in a folder. limits: of resources, by their names; before: what the process does first."""

        def confine():
            for name, value in (limits or {}).items():
                resource.setrlimit(getattr(resource, name), (value, value))
            if before is not None:
                before()

        with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
            # Files, not pipes: what a command took is known only to who waits for it.
            process = subprocess.Popen([self.tempo, *arguments], cwd=folder, env=self.environment(extra),
                                       **{"stdin": subprocess.DEVNULL, "stdout": output, "stderr": errors,
                                          "preexec_fn": confine, **streams})
            is_late = threading.Event()
            timer = threading.Timer(seconds, lambda: (is_late.set(), os.kill(process.pid, signal.SIGKILL)))
            timer.start()
            _, status, usage = os.wait4(process.pid, 0)
            timer.cancel()
            process.returncode = os.waitstatus_to_exitcode(status)
            texts = []
            for stream in (output, errors):
                stream.seek(0)
                texts.append(stream.read())
            return Outcome(process.returncode, *texts, is_late.is_set(), usage)

    def has_plugin(self, plugin):
        return f"\n  {plugin} " in self.run(["plugins", "list"], self.root).output

    def fresh(self, original):
        """A copy of a folder for one try, always under the same name: some files hold it."""
        folder = self.root / "try"
        if folder.exists():
            shutil.rmtree(folder)
        shutil.copytree(original, folder, symlinks=True)
        return folder

    def set_aside(self, folder):
        """Keeps what a try left, for somebody to look at."""
        if self.keep:
            self.kept += 1
            shutil.copytree(folder, self.root / f"find{self.kept}", symlinks=True)


def stand_still(process):
    """Stops a process until SIGCONT; whether it was still at work."""
    os.kill(process.pid, signal.SIGSTOP)  # Popen's own would take the end of one that is done
    state = os.waitid(os.P_PID, process.pid, os.WSTOPPED | os.WEXITED | os.WNOWAIT)
    return state.si_code == os.CLD_STOPPED


def left_processes(folder, seconds=5.0):
    """Processes that are at work in a folder, after the time that their end may take."""
    end = time.monotonic() + seconds
    while True:
        found = []
        for process in Path("/proc").glob("[0-9]*"):
            try:
                if Path(os.readlink(process / "cwd")).is_relative_to(folder):
                    found.append((process / "cmdline").read_text().replace("\0", " ").strip() or process.name)
            except OSError:
                continue  # it has ended, or is another user's
        if not found or time.monotonic() > end:
            return found
        time.sleep(0.01)


def without_seconds(text):
    """A results.csv without the column that differs from run to run."""
    rows = list(csv.reader(io.StringIO(text)))
    if not rows or "seconds" not in rows[0]:
        return text
    column = rows[0].index("seconds")
    return "\n".join(",".join(row[:column] + row[column + 1:]) for row in rows)


def without_times(value):
    """What a page holds, but for how long things took."""
    if isinstance(value, dict):
        return {key: without_times(held) for key, held in value.items() if key != "seconds"}
    return [without_times(held) for held in value] if isinstance(value, list) else value


def page(file):
    """What a report holds, or why it is none."""
    text = file.read_text(errors="replace")
    data = re.search(r'<script type="application/json" id="report">(.*?)</script>', text, re.S)
    if data is None or not text.rstrip().endswith("</html>"):
        return f"a report that is not whole: {len(text)} characters"
    try:
        held = json.dumps(without_times(json.loads(data[1])), sort_keys=True)
    except json.JSONDecodeError as error:
        return f"a report of which the data cannot be read: {error}"
    return hashlib.sha256((text[:data.start()] + held + text[data.end():]).encode()).hexdigest()


def rows_of(store):
    """The rows of an open store, each with its table in front, but for the seconds."""
    found = set()
    for table, in store.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall():
        columns = [column[1] for column in store.execute(f"PRAGMA table_info({table})") if column[1] != "seconds"]
        for row in store.execute(f"SELECT {', '.join(columns)} FROM {table}"):
            found.add(f"{table} {hashlib.sha256(repr(row).encode()).hexdigest()}")
    return found


def stored(file):
    """What a store holds: its rows, or why it has none. Read from a copy, as reading repairs it."""
    with tempfile.TemporaryDirectory(prefix="tempo-proof-store-") as folder:
        for path in file.parent.glob(file.name + "*"):
            shutil.copyfile(path, Path(folder) / path.name)
        store = sqlite3.connect(Path(folder) / file.name)
        try:
            return frozenset(rows_of(store))
        except sqlite3.DatabaseError as error:
            return frozenset([f"unreadable: {error}"])
        finally:
            store.close()


def contents(folder):
    """Every file below a folder and what it holds, but for what differs from run to run: of a store the set of its rows."""
    found = {}
    for file in sorted(path for path in folder.rglob("*") if path.is_file()):
        name = str(file.relative_to(folder))
        if file.name in BESIDE_STORE:
            continue
        if file.name == STORE:
            found[name] = stored(file)
        elif file.name in CHANGING:
            found[name] = "there"
        elif file.name == "report.html":
            found[name] = page(file)
        elif file.name == "results.csv":
            found[name] = without_seconds(file.read_bytes().decode(errors="replace"))
        else:
            found[name] = hashlib.sha256(file.read_bytes()).hexdigest()
    return found


def other_rows(expected, found):
    """By how many rows of which tables two stores differ."""
    def counted(rows):
        return ", ".join(f"{n} {table}" for table, n in sorted(Counter(row.split(" ", 1)[0] for row in rows).items()))

    return f"lacks {counted(expected - found) or 'none'}; has beside {counted(found - expected) or 'none'}"


def differences(expected, found, but_for=None):
    """How two `contents` differ, a few words each; empty where they do not. but_for: words that do not count."""
    words = [f"lacks {name}" for name in expected if name not in found]
    words += [f"has {name}" for name in found if name not in expected]
    for name in expected:
        if name in found and expected[name] != found[name]:
            is_store = isinstance(expected[name], frozenset)
            words.append(f"other rows in {name} ({other_rows(expected[name], found[name])})" if is_store else
                         f"other bytes in {name}")
    return [word for word in words if but_for is None or not re.match(but_for, word)]


def in_short(words):
    return ", ".join(words[:6]) + (f" and {len(words) - 6} more" if len(words) > 6 else "")


class Scene:
    """A command in a folder that holds what it needs."""

    def __init__(self, name, arguments, prepare):
        self.name, self.arguments, self.prepare = name, arguments, prepare
        self.original = self.expected = None

    def make(self, work):
        """Prepares the folder, and what the command leaves when nothing disturbs it."""
        self.original = work.root / f"of-{self.name}"
        self.original.mkdir()
        self.prepare(work, self.original)
        undisturbed = work.fresh(self.original)
        outcome = work.run(self.arguments, undisturbed)
        if outcome.code != 0:
            raise SystemExit(f"{self.name}: undisturbed: {outcome}")
        self.expected = contents(undisturbed)

    def difference(self, folder, but_for=None):
        """In short what a folder has otherwise than an undisturbed command leaves it; but_for: as in `differences`."""
        return in_short(differences(self.expected, contents(folder), but_for))


def write(folder, name, text):
    (folder / name).write_text(text)


def clinic_csv():
    noise = random.Random(11)
    rows = ["ID,DX,b0,b1,b2,b3"]
    for participant in range(60):
        stage = 0 if participant < 20 else 1 + participant % 4
        values = [f"{noise.gauss(4.0 if stage > b else 0.0, 1.0):.4f}" for b in range(4)]
        rows.append(f"p{participant},{'CN' if participant < 20 else 'AD'},{','.join(values)}")
    return "\n".join(rows) + "\n"


def experiment(folder, cohorts=2, methods=""):
    write(folder, "five.toml", TABLE)
    write(folder, "e.toml", EXPERIMENT.format(cohorts=cohorts) + methods)


def must(outcome):
    if outcome.code != 0:
        raise SystemExit(f"in preparation: {outcome}")


RUN = ["run", "e.toml", "--out", "r", "--jobs", "1", "--isolate", "none"]
RUN_ISOLATED = ["run", "e.toml", "--out", "r", "--jobs", "2", "--isolate", "all"]


def prepare_run(work, folder):
    experiment(folder)


def prepare_continued(work, folder):
    experiment(folder)
    must(work.run([*RUN, "--shard", "1/2"], folder))


def prepare_training_run(work, folder):
    experiment(folder, methods=LEARNER)


def prepare_network(work, folder):
    experiment(folder, cohorts=1, methods=NETWORK)


def prepare_finished(work, folder):
    experiment(folder)
    must(work.run(RUN, folder))


def prepare_shards(work, folder):
    experiment(folder)
    for shard in ("1", "2"):
        must(work.run(["run", "e.toml", "--out", f"s{shard}", "--jobs", "1", "--shard", f"{shard}/2"], folder))


def prepare_import(work, folder):
    write(folder, "clinic.csv", clinic_csv())
    write(folder, "clinic.toml", CLINIC)


def prepare_simulate(work, folder):
    experiment(folder, cohorts=3)


def prepare_train(work, folder):
    write(folder, "five.toml", TABLE)


def prepare_infer(work, folder):
    prepare_import(work, folder)
    must(work.run(["import", "clinic.toml", "--out", "cohort.csv"], folder))
    must(work.run(["fit-parameters", "cohort.csv", "--out", "fitted.toml"], folder))


TRAIN = ["train", "--hypothesis", "h3", "--biomarkers", "five.toml", "--participants", "40", "--out", "m.safetensors",
         "--jobs", "1"]


def scenes(work):
    """All commands that write; trainings where their plugins are."""
    out = [
        Scene("run", RUN, prepare_run),
        Scene("run_isolated", RUN_ISOLATED, prepare_run),
        Scene("run_continued", RUN, prepare_continued),
        Scene("report", ["report", "r"], prepare_finished),
        Scene("merge", ["merge", "s1", "s2", "--out", "m"], prepare_shards),
        Scene("import", ["import", "clinic.toml", "--out", "cohort.csv"], prepare_import),
        Scene("simulate", ["simulate", "e.toml", "--out", "sim"], prepare_simulate),
        Scene("fit_parameters", ["fit-parameters", "clinic.toml", "--out", "fitted.toml"], prepare_import),
    ]
    if work.probes:
        out += [Scene("run_training", RUN, prepare_training_run),
                Scene("train", [*TRAIN, "--method", "learner"], prepare_train)]
    if work.has_plugin("tempo"):
        out.append(Scene("run_network", RUN, prepare_network))
    return out


class Campaign:
    """Tries, how many of them survived, and what was found; `finish` prints the line of result."""

    def __init__(self, name, description, count, **numbers):
        """numbers: options of this campaign and their defaults."""
        parser = argparse.ArgumentParser(prog=name, description=description)
        parser.add_argument("--tempo", required=True, help="the program")
        parser.add_argument("--probes", help="the folder of the tests' plugins, for trainings without LibTorch")
        parser.add_argument("--shim", help="the library that makes calls fail")
        parser.add_argument("--seed", type=int, default=1)
        parser.add_argument("--count", type=int, default=count, help="tries")
        for option, default in numbers.items():
            parser.add_argument(f"--{option}", type=int, default=default)
        parser.add_argument("--only", help="a part of the campaign, by a regular expression")
        parser.add_argument("--keep", action="store_true", help="the folders of the tries stay")
        self.name = name
        self.options = parser.parse_args()
        self.random = random.Random(self.options.seed)
        self.work = Workplace(self.options)
        self.tries = 0
        self.finds = []
        self.asides = Counter()
        self.told = time.monotonic()

    def wants(self, part):
        return self.options.only is None or re.search(self.options.only, part) is not None

    def survived(self):
        self.tries += 1
        if time.monotonic() - self.told > SECONDS_OF_SILENCE:
            self.told = time.monotonic()
            print(f"{self.name}: {self.tries} tries so far, {len(self.finds)} finds", file=sys.stderr, flush=True)

    def found(self, what):
        self.tries += 1
        self.finds.append(what)
        print(f"{self.name}: FOUND: {what}", file=sys.stderr, flush=True)

    def aside(self, why):
        """Counts what is no try, or a try that is let pass, by the reason; `finish` tells."""
        self.asides[why] += 1

    def judge(self, fault):
        """A try whose fault is in words, or empty."""
        if fault:
            self.found(fault)
        else:
            self.survived()

    def finish(self):
        self.work.close()
        if self.tries == 0:
            self.finds.append("nothing was tried")
        for why, times in sorted(self.asides.items()):
            print(f"{self.name}: {times} times: {why}")
        print(f"{self.name}: seed {self.options.seed}: {self.tries} tries, {self.tries - len(self.finds)} survived, "
              f"{len(self.finds)} finds")
        sys.exit(1 if self.finds else 0)
