"""Runs recorded scenarios, which are programs, against objects and a cloud that the test serves, and prints what each returned."""

import json
import sys
import time
import traceback
import urllib.request

import boto3
from botocore.config import Config

file, bridge, endpoint, log, *names = sys.argv[1:]
IAM, SQS, S3 = "iam", "sqs", "s3"
config = Config(region_name="us-east-1", s3={"addressing_style": "path"})


def ask(what, **given):
    body = json.dumps({"what": what, **given}).encode()
    with urllib.request.urlopen(urllib.request.Request(bridge, body)) as answer:
        return json.load(answer)


class Kube:
    def get(self, group, kind, name):
        return ask("get", group=group, kind=kind, name=name)

    def delete(self, group, kind, name):
        return ask("delete", group=group, kind=kind, name=name)

    def wait(self, group, kind, name, is_so, seconds):
        until = time.time() + seconds
        while True:
            found = self.get(group, kind, name)
            if is_so(found):
                return True, found
            if time.time() > until:
                return False, found
            time.sleep(0.1)


class World:
    k = Kube()
    log = log

    def mk(self, group, kind, name, spec, annotations=None):
        return ask("create", group=group, kind=kind, name=name, spec=spec, annotations=annotations or {})

    def patch(self, group, kind, name, spec):
        return ask("patch", group=group, kind=kind, name=name, spec=spec)

    def settle(self, group, kind, name, seconds=20):
        """Until something is said of the object, and neither it changes nor the operator calls."""
        until = time.time() + seconds
        before, since = None, time.time()
        while time.time() < until:
            now = ask("trace", group=group, kind=kind, name=name)
            if now != before or not now[2]:
                before, since = now, time.time()
            elif time.time() - since > 1.2:
                break
            time.sleep(0.15)
        return self.k.get(group, kind, name)

    def calls(self):
        return ask("calls")

    def c(self, service):
        return boto3.client(
            service, endpoint_url=endpoint, aws_access_key_id="test", aws_secret_access_key="test", config=config
        )


def gone(found):
    return found is None


recorded = json.load(open(file))
for text in recorded["about"]["helpers"].values():
    exec(text)
world = World()
results = {}
for name, scenario in recorded["scenarios"].items():
    if name not in names:
        continue
    exec(scenario["steps"])
    try:
        results[name] = globals()[name](world)
    except Exception:
        results[name] = [["error", traceback.format_exc().strip().split("\n")[-1]]]
    print(name, file=sys.stderr, flush=True)
print(json.dumps(results, default=str))
