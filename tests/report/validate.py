# SPDX-License-Identifier: BSD-3-Clause
"""Checks a result of `isp --json` against docs/result.schema.json: validate.py SCHEMA RESULT."""
import json
import sys

import jsonschema

with open(sys.argv[1], encoding="utf-8") as schema, open(sys.argv[2], encoding="utf-8") as result:
    schema = json.load(schema)
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.validate(json.load(result), schema)
