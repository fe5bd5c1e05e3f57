// A plain TLS webhook as one writes it with Go's standard library: the yardstick of `npm run bench -- webhook`. It decodes the review and
// the parts of the pod that it needs, makes the same patch, and knows one ServiceAccount; no cache, no metrics, no limits.
package main

import (
	"encoding/json"
	"io"
	"log"
	"net/http"
	"os"
	"strconv"
)

type named struct {
	Name string `json:"name"`
}

type container struct {
	Name         string  `json:"name"`
	Env          []named `json:"env"`
	VolumeMounts []named `json:"volumeMounts"`
}

type pod struct {
	Metadata struct {
		Annotations map[string]string `json:"annotations"`
	} `json:"metadata"`
	Spec struct {
		ServiceAccountName string      `json:"serviceAccountName"`
		Volumes            []named     `json:"volumes"`
		InitContainers     []container `json:"initContainers"`
		Containers         []container `json:"containers"`
	} `json:"spec"`
}

type review struct {
	APIVersion string    `json:"apiVersion"`
	Kind       string    `json:"kind"`
	Request    *request  `json:"request,omitempty"`
	Response   *response `json:"response,omitempty"`
}

type request struct {
	UID       string          `json:"uid"`
	Namespace string          `json:"namespace"`
	Object    json.RawMessage `json:"object"`
}

type response struct {
	UID       string `json:"uid"`
	Allowed   bool   `json:"allowed"`
	Patch     []byte `json:"patch,omitempty"`
	PatchType string `json:"patchType,omitempty"`
}

type operation struct {
	Op    string `json:"op"`
	Path  string `json:"path"`
	Value any    `json:"value"`
}

const mountPath = "/var/run/secrets/eks.amazonaws.com/serviceaccount"

func patch(p *pod) []operation {
	token := map[string]any{"audience": "sts.amazonaws.com", "expirationSeconds": 86400, "path": "token"}
	volume := map[string]any{
		"name":      "aws-iam-token",
		"projected": map[string]any{"sources": []any{map[string]any{"serviceAccountToken": token}}},
	}
	var ops []operation
	if p.Spec.Volumes == nil {
		ops = append(ops, operation{"add", "/spec/volumes", []any{volume}})
	} else {
		ops = append(ops, operation{"add", "/spec/volumes/0", volume})
	}
	add := func(path string, c *container) {
		env := []any{
			map[string]string{"name": "AWS_ROLE_ARN", "value": "arn:aws:iam::111122223333:role/app"},
			map[string]string{"name": "AWS_WEB_IDENTITY_TOKEN_FILE", "value": mountPath + "/token"},
		}
		if c.Env == nil {
			ops = append(ops, operation{"add", path + "/env", env})
		} else {
			for _, one := range env {
				ops = append(ops, operation{"add", path + "/env/-", one})
			}
		}
		mount := map[string]any{"name": "aws-iam-token", "readOnly": true, "mountPath": mountPath}
		if c.VolumeMounts == nil {
			ops = append(ops, operation{"add", path + "/volumeMounts", []any{mount}})
		} else {
			ops = append(ops, operation{"add", path + "/volumeMounts/-", mount})
		}
	}
	for i := range p.Spec.InitContainers {
		add("/spec/initContainers/"+strconv.Itoa(i), &p.Spec.InitContainers[i])
	}
	for i := range p.Spec.Containers {
		add("/spec/containers/"+strconv.Itoa(i), &p.Spec.Containers[i])
	}
	return ops
}

func mutate(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		http.Error(w, err.Error(), 400)
		return
	}
	var in review
	var p pod
	if json.Unmarshal(body, &in) != nil || in.Request == nil || json.Unmarshal(in.Request.Object, &p) != nil {
		http.Error(w, "bad content", 400)
		return
	}
	out := &response{UID: in.Request.UID, Allowed: true}
	if p.Spec.ServiceAccountName == "app" {
		out.Patch, _ = json.Marshal(patch(&p))
		out.PatchType = "JSONPatch"
	}
	reply, _ := json.Marshal(review{APIVersion: in.APIVersion, Kind: in.Kind, Response: out})
	w.Header().Set("Content-Type", "application/json")
	w.Write(reply)
}

func main() {
	http.HandleFunc("/mutate", mutate)
	log.Fatal(http.ListenAndServeTLS("127.0.0.1:"+os.Args[1], os.Args[2], os.Args[3], nil))
}
