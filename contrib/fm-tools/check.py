"""Holds the FM-Tools entry of Unreach against the schema that the package fm-weck carries."""

import importlib.util
import pathlib
import sys

import jsonschema
import yaml

package = importlib.util.find_spec("fm_weck")
if package is None:
    sys.exit("the package fm-weck is not installed")
schema = pathlib.Path(package.submodule_search_locations[0], "resources/fm_tools/schema.yml")
entry = yaml.safe_load(pathlib.Path(__file__).with_name("unreach.yml").read_text())
validator = jsonschema.Draft202012Validator(
    yaml.safe_load(schema.read_text()), format_checker=jsonschema.FormatChecker()
)
errors = list(validator.iter_errors(entry))
for error in errors:
    print(f"{'/'.join(map(str, error.path))}: {error.message}", file=sys.stderr)
print(f"{len(errors)} errors")
sys.exit(bool(errors))
