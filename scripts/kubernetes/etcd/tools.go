//go:build tools

// Package tools names the program to build, so that go.mod and go.sum pin all it needs.
package tools

import _ "go.etcd.io/etcd/server/v3"
