//go:build tools

// Package tools names the programs to build, so that go.mod and go.sum pin all they need.
package tools

import (
	_ "k8s.io/kubernetes/cmd/kube-apiserver"
	_ "k8s.io/kubernetes/cmd/kubectl"
)
