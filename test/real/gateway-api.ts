// The definitions of the Gateway API as their project publishes them, from the Go module that ExternalDNS of a version is built with.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { load } from 'js-yaml'
import { isRecord } from '#base'
import type { KubeObject } from '#kube'
import { goEnvironment, type OperandVersionBuilt } from './programs/external-dns.ts'

const names = ['gateways', 'httproutes']

/** Of Gateways and HTTPRoutes, of the channel `standard`; a word why where the module cannot be had. */
export function gatewayDefinitions(version: OperandVersionBuilt): readonly KubeObject[] | { readonly skipped: string } {
  const cwd = join(import.meta.dirname, 'external-dns', `v${version}`)
  const args = ['mod', 'download', '-json', 'sigs.k8s.io/gateway-api']
  const { status, stdout, stderr } = spawnSync('go', args, {
    cwd,
    encoding: 'utf8',
    env: { ...process.env, ...goEnvironment(version) },
  })
  if (status !== 0) return { skipped: `the module of the Gateway API cannot be had: ${stderr}` }
  const { Dir: folder } = JSON.parse(stdout) as { readonly Dir: string }
  const files = names.map(name => join(folder, 'config', 'crd', 'standard', `gateway.networking.k8s.io_${name}.yaml`))
  if (!files.every(existsSync)) return { skipped: `the module of the Gateway API has no definitions in ${folder}` }
  return files.map(file => load(readFileSync(file, 'utf8'))).filter(isDefinition)
}

function isDefinition(object: unknown): object is KubeObject {
  return isRecord(object) && object['kind'] === 'CustomResourceDefinition'
}
