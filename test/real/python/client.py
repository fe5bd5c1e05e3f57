# The official Python client, as scripts use it. Prints one line per thing that worked, and ends with an error when one does not.
import sys

from kubernetes import client, config, dynamic, watch
from kubernetes.client.exceptions import ApiException

NAMESPACE = "python-client"


def refused(code, call):
    try:
        call()
    except ApiException as error:
        assert error.status == code, error
        return
    raise AssertionError(f"was not refused with {code}")


config.load_kube_config(sys.argv[1])
core = client.CoreV1Api()
core.create_namespace({"metadata": {"name": NAMESPACE}})

made = core.create_namespaced_config_map(NAMESPACE, {"metadata": {"name": "a", "labels": {"l": "1"}}, "data": {"k": "1"}})
assert made.data == {"k": "1"} and made.metadata.uid
patched = core.patch_namespaced_config_map("a", NAMESPACE, {"data": {"k": "2", "m": "3"}})
assert patched.data == {"k": "2", "m": "3"}
made.data = {"k": "9"}
refused(409, lambda: core.replace_namespaced_config_map("a", NAMESPACE, made))
refused(404, lambda: core.read_namespaced_config_map("missing", NAMESPACE))
refused(422, lambda: core.create_namespaced_config_map(NAMESPACE, {"metadata": {"name": "Bad_Name"}}))
assert [item.metadata.name for item in core.list_namespaced_config_map(NAMESPACE, label_selector="l=1").items] == ["a"]
print("typed client")

seen = []
for event in watch.Watch().stream(core.list_namespaced_config_map, NAMESPACE, label_selector="l=1", timeout_seconds=5):
    seen.append((event["type"], event["object"].metadata.name))
    if len(seen) == 1:
        core.delete_namespaced_config_map("a", NAMESPACE)
    if len(seen) == 2:
        break
assert seen == [("ADDED", "a"), ("DELETED", "a")], seen
print("watch")

apps = client.AppsV1Api()
labels = {"app": "w"}
spec = {
    "selector": {"matchLabels": labels},
    "template": {"metadata": {"labels": labels}, "spec": {"containers": [{"name": "c", "image": "example.com/c:1"}]}},
}
deployment = apps.create_namespaced_deployment(NAMESPACE, {"metadata": {"name": "w"}, "spec": spec})
assert deployment.spec.replicas == 1 and deployment.spec.strategy.type == "RollingUpdate"
apps.patch_namespaced_deployment_scale("w", NAMESPACE, {"spec": {"replicas": 3}})
assert apps.read_namespaced_deployment("w", NAMESPACE).spec.replicas == 3
print("workloads")

objects = dynamic.DynamicClient(client.ApiClient())
maps = objects.resources.get(api_version="v1", kind="ConfigMap")
maps.server_side_apply(body={"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "applied"}, "data": {"a": "1"}}, namespace=NAMESPACE, field_manager="python")
assert maps.get(name="applied", namespace=NAMESPACE).metadata.managedFields[0].manager == "python"
print("dynamic client and server-side apply")

review = client.AuthorizationV1Api().create_self_subject_access_review(
    {"spec": {"resourceAttributes": {"verb": "get", "resource": "pods", "namespace": NAMESPACE}}}
)
assert review.status.allowed
print("all done")
