// The containers of the proxy as they are put into a pod: whole, since what they may do is as much of the contract as what they run.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readAzureProgram } from '../flags/azure-settings.ts'
import type { PatchObject } from '../patch.ts'
import { type AddedContainers, proxyContainers } from './proxy-containers.ts'

const { admission: options } = readAzureProgram(['--log-level=debug'], {
  AZURE_TENANT_ID: 'tenant',
  PROXY_IMAGE: 'proxy:1',
  PROXY_INIT_IMAGE: 'init:1',
}).webhook
const port = (text: string): Readonly<Record<string, string>> => ({ 'azure.workload.identity/proxy-sidecar-port': text })
const added = (spec: PatchObject, text = '8080', hasNativeSidecars = false) =>
  proxyContainers(spec, { annotations: port(text), options, hasNativeSidecars })

const sidecar = {
  name: 'azwi-proxy',
  image: 'proxy:1',
  imagePullPolicy: 'IfNotPresent',
  args: ['--proxy-port=8080', '--log-level=debug'],
  ports: [{ containerPort: 8_080 }],
  lifecycle: { postStart: { exec: { command: ['/proxy', '--proxy-port=8080', '--probe', '--log-level=debug'] } } },
  securityContext: {
    allowPrivilegeEscalation: false,
    capabilities: { drop: ['ALL'] },
    privileged: false,
    readOnlyRootFilesystem: true,
    runAsNonRoot: true,
  },
}
const init = {
  name: 'azwi-proxy-init',
  image: 'init:1',
  imagePullPolicy: 'IfNotPresent',
  env: [{ name: 'PROXY_PORT', value: '8080' }],
  securityContext: {
    capabilities: { add: ['NET_ADMIN'], drop: ['ALL'] },
    privileged: true,
    runAsNonRoot: false,
    runAsUser: 0,
  },
}

test('the proxy may do nothing but answer, and its helper what it takes to change the routes of the pod [§3.9]', () => {
  assert.deepEqual(added({}), { sidecar: { list: 'containers', container: sidecar }, init })
  assert.deepEqual(added({}, '8080', true), {
    sidecar: { list: 'initContainers', container: { ...sidecar, restartPolicy: 'Always' } },
    init,
  })
})

const misfitOf = (spec: PatchObject, text?: string): unknown => (added(spec, text) as AddedContainers).misfit
const noPort = (text: string): object => ({
  refused: 'bad_port',
  message: `proxy sidecar port ${text} not valid. Expected value to be between 1 and 65535`,
})

for (const [text, isPort] of [
  ['-1', false],
  ['0', false],
  ['1', true],
  ['65535', true],
  ['65536', false],
] as const)
  test(`${text} is ${isPort ? 'a' : 'no'} port of the proxy [F-18]`, () => {
    assert.deepEqual(misfitOf({}, text), isPort ? undefined : noPort(text))
  })

const windows = { refused: 'windows', message: 'spec.os.name is windows, cannot inject proxy sidecar' }
const there = (...names: readonly string[]): PatchObject => ({ containers: names.map(name => ({ name })) })

for (const [what, spec, misfit] of [
  ['no proxy yet', {}, windows],
  ['the proxy and not its helper', there('azwi-proxy'), windows],
  ['the helper and not the proxy', there('azwi-proxy-init'), windows],
  ['both', there('azwi-proxy', 'azwi-proxy-init'), undefined],
] as const)
  test(`a pod for Windows that has ${what} is ${misfit === undefined ? 'left as it is' : 'refused'} [F-29]`, () => {
    assert.deepEqual(misfitOf({ ...spec, os: { name: 'windows' } }), misfit)
  })

test('a bad port is nobody’s where the proxy is there already, in whichever list', () => {
  for (const list of ['containers', 'initContainers']) {
    const spec = { [list]: [{ name: 'azwi-proxy' }] }
    assert.deepEqual(misfitOf(spec, '0'), undefined)
    assert.deepEqual((added(spec, '0') as AddedContainers).sidecar, undefined)
  }
})

test('on the network of the host the proxy is refused, and that it says false is not its network [Z-50]', () => {
  assert.deepEqual(added({ hostNetwork: true }), {
    refused: 'host_network',
    message: 'hostNetwork is set to true, cannot inject proxy sidecar',
  })
  assert.deepEqual([misfitOf({ hostNetwork: false }), misfitOf({ os: { name: 'linux' } })], [undefined, undefined])
})
