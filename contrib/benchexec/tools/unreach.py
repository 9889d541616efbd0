"""BenchExec tool-info module for Unreach."""

import benchexec.result as result
import benchexec.tools.template


class Tool(benchexec.tools.template.BaseTool2):
    """`unreach verify`; the verdict is the first word on standard output."""

    REQUIRED_PATHS = ["unreach", "libz3.*"]

    def executable(self, tool_locator):
        return tool_locator.find_executable("unreach")

    def name(self):
        return "Unreach"

    def version(self, executable):
        return self._version_from_tool(executable, line_prefix="unreach ")

    def cmdline(self, executable, options, task, rlimits):
        command = [executable, "verify", *options]
        if task.property_file:
            command += ["--spec", task.property_file]
        if isinstance(task.options, dict):
            language = task.options.get("language", "C")
            if language not in ("C", "Boogie", "SV-LIB"):
                raise benchexec.tools.template.UnsupportedFeatureException(
                    f"programs in {language} are not supported"
                )
            data_model = task.options.get("data_model")
            if data_model:
                command += ["--data-model", data_model]
        # The tool ends by itself a little before it would be killed.
        limit = rlimits.walltime or rlimits.cputime
        if limit and "--timeout" not in options:
            command += ["--timeout", str(max(1, limit - 1))]
        return command + [task.single_input_file]

    def determine_result(self, run):
        for line in run.output:
            word = line.strip()
            if word == "TRUE":
                return result.RESULT_TRUE_PROP
            if word.startswith("FALSE(") and word.endswith(")"):
                return f"false({word[len('FALSE('):-1]})"
            if word.startswith("UNKNOWN"):
                if "timeout" in word:
                    return "TIMEOUT"
                return result.RESULT_UNKNOWN
        if run.exit_code.value == 3:
            return result.RESULT_ERROR + " (bad input)"
        if run.exit_code.value == 4:
            return result.RESULT_ERROR + " (internal error)"
        return result.RESULT_ERROR
