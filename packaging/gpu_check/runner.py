"""Runs the steps one by one, and writes the results after each."""

import json
import os
import re
import signal
import subprocess
import sys
import tarfile
import tempfile
import time

from answers import answers
from kit import ask_gpu
from outputs import SAYERS, any_ran, compared, counters, parsed
from steps import cpu_steps, gpu_steps

# Messages of compute-sanitizer and Nsight Compute if the driver does not permit debuggers or profilers: no failure.
REFUSED = re.compile("device not supported|not supported on|LibraryNotLoaded|ERR_NVGPUCTRPERM|"
                     "unsupported|No kernels were profiled", re.IGNORECASE)
TOOLS = ("memcheck", "racecheck", "counters")
STALE_PLAN = re.compile(r"plan-[0-9a-f]{16}\.json(?!: no plan yet)")
MEMORY = re.compile(r"memory (\d+) MiB here, (\d+) MiB in all")
BAD = ("failed", "too slow", "no time", "stopped")
LEAST_SECONDS = 5
INTERRUPTIONS = (signal.SIGINT, signal.SIGTERM)


class Runner:
    def __init__(self, kit, options):
        self.kit = kit
        self.options = options
        self.began = time.monotonic()
        self.gpu = ask_gpu("name,driver_version,memory.total,memory.used,clocks.max.sm")
        self.log = open(options.output / "log.txt", "w", encoding="utf-8")
        self.records = []

    def say(self, line):
        print(line, flush=True)
        print(line, file=self.log, flush=True)

    def seconds(self):
        return time.monotonic() - self.began

    def start(self, step, limit):
        """Runs a step. Returns its exit status (None if it was stopped), standard output and standard error."""
        with tempfile.TemporaryFile("w+", errors="replace") as out, \
                tempfile.TemporaryFile("w+", errors="replace") as err:
            # An interruption while Popen starts the child would lose the handle that stops it.
            mask = signal.pthread_sigmask(signal.SIG_BLOCK, INTERRUPTIONS)
            child = status = None
            try:
                child = subprocess.Popen(
                    step.command, cwd=self.kit.work / "data", stdout=out, stderr=err,
                    start_new_session=True, env={**self.kit.environment, **step.environment},
                    preexec_fn=lambda: signal.pthread_sigmask(signal.SIG_SETMASK, mask))
                signal.pthread_sigmask(signal.SIG_SETMASK, mask)
                status = child.wait(limit)
            except subprocess.TimeoutExpired:
                pass
            finally:
                if child is not None:
                    self.stop(child)
                signal.pthread_sigmask(signal.SIG_SETMASK, mask)
            texts = []
            for file in (out, err):
                file.seek(0)
                texts.append(file.read())
        self.log.write(f"\n=== {step.name}: {' '.join(step.command)}\n{''.join(texts)}")
        return status, *texts

    @staticmethod
    def stop(child):
        for sign in (signal.SIGTERM, signal.SIGKILL):
            if child.poll() is None:
                os.killpg(child.pid, sign)
                try:
                    child.wait(LEAST_SECONDS)
                except subprocess.TimeoutExpired:
                    pass

    def new_record(self, step, state):
        return {"name": step.name, "state": state, "exit": None, "seconds": 0, "reason": "",
                "said": [], "output": None,
                "command": " ".join(step.command).replace(f"{self.kit.work}/", "")}

    def attempt(self, step):
        """Runs a step and returns its record and its output."""
        record = self.new_record(step, "no time")
        left = self.options.seconds - self.seconds()
        if left < LEAST_SECONDS:
            return record, ""
        tests = self.kit.work / "tests.json"
        tests.unlink(missing_ok=True)
        record["memoryBeforeMiB"] = ask_gpu("memory.used")
        start = time.monotonic()
        try:
            record["exit"], out, err = self.start(
                step, min(step.seconds, self.options.step_seconds, left))
        except OSError as error:
            record["exit"], out, err = 127, "", str(error)
        record["seconds"] = round(time.monotonic() - start, 1)
        record["state"] = {0: "passed", None: "too slow"}.get(record["exit"], "failed")
        record["output"] = parsed(tests.read_text() if tests.is_file() else out)
        if self.took_the_processor(step, record):
            record["state"] = "failed"
            err += "\nthe processor computed it, not the GPU"
        if tests.is_file() and not any_ran(record["output"]):
            record["state"] = "failed"
            err += "\nevery test was skipped, as where there is no GPU"
        if record["state"] != "passed":
            lines = [line for line in (err if err.strip() else out).splitlines() if line.strip()]
            record["reason"] = lines[-1] if lines else ""
            if step.name.split()[0] in TOOLS and REFUSED.search(out + err):
                record["state"] = "refused"
            elif "memory" in record["reason"]:
                record["reason"] += f" ({record['memoryBeforeMiB']} MiB were in use before)"
        if MEMORY.search(err):
            record["memoryMiB"] = [int(value) for value in MEMORY.findall(err)[-1]]
        if step.name == "counters":
            rows, record["said"] = counters(out)
            (self.options.output / "kernels.csv").write_text(rows)
        return record, out + err

    def took_the_processor(self, step, record):
        output = record["output"]
        return "cuda" in step.command and isinstance(output, dict) and \
            str(output.get("backend")).startswith("CPU")

    def run(self, step):
        record, text = self.attempt(step)
        # The program replaces a tuning plan of another version with a warning, which fails the test.
        stale = STALE_PLAN.search(text)
        if record["state"] == "failed" and stale:
            self.say(f"{step.name}: {stale.group()} was stale; once more")
            record, text = self.attempt(step)
        if record["state"] in BAD and not step.needed:
            record["state"] = "left out"
        if step.name.startswith("meshes"):
            meshes = self.kit.work / "meshes"
            record["against"] = {
                reference: compared(meshes / step.name[len("meshes "):], meshes / reference)
                for reference in ("processor", "float32", "float16")}
        if record["output"] is not None and step.name.split()[0] in SAYERS:
            try:
                record["said"] = list(SAYERS[step.name.split()[0]](record["output"]))
            except (LookupError, TypeError, ValueError) as error:
                record["said"] = [f"output not understood: {type(error).__name__} {error}"]
        self.keep(record)

    def keep(self, record):
        self.records.append(record)
        first, *others = record["said"] or [""]
        self.say(f"{record['name']:<26} {record['state']:<8} {record['seconds']:5.1f} s  "
                 f"{'. '.join(filter(None, [first, record['reason']]))}")
        for line in others:
            self.say(f"    {line}")
        document = {**self.kit.about, "gpu": self.gpu, "mode": "cpu" if self.options.cpu else "gpu",
                    "date": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
                    "seconds": round(self.seconds()), "passed": not self.bad(),
                    "answers": {} if self.options.cpu else answers(self.records),
                    "steps": self.records}
        part = self.options.output / "results.json.part"
        part.write_text(json.dumps(document, indent=1, ensure_ascii=False))
        part.replace(self.options.output / "results.json")
        if any(self.kit.plans.glob("*.json")):
            with tarfile.open(self.options.output / "plans.tar.gz", "w:gz") as archive:
                archive.add(self.kit.plans, "threefold")

    def bad(self):
        return [record["name"] for record in self.records if record["state"] in BAD]

    def all(self):
        """Runs all steps. Returns the exit status of the program."""
        about = self.kit.about
        self.say(f"Threefold {about['commit']}, native code for {about['architectures']}, GPU: "
                 f"{self.gpu or 'none'}, {os.cpu_count()} processors, "
                 f"Python {sys.version.split()[0]}")
        for step in (cpu_steps if self.options.cpu else gpu_steps)(self.kit):
            if not self.options.only.search(step.name) or self.options.skip.search(step.name):
                continue
            try:
                self.run(step)
            except KeyboardInterrupt:
                self.keep(self.new_record(step, "stopped"))
                break
        if not self.options.cpu:
            for question, answer in answers(self.records).items():
                self.say(f"{question}: {answer}")
        self.say(f"{len(self.records)} steps in {self.seconds():.0f} s, bad: "
                 f"{', '.join(self.bad()) or 'none'}; {self.options.output / 'results.json'}")
        return 1 if self.bad() or not self.records else 0
