// The rows of §8.2 about the proxy and about the custom token endpoint.
import assert from 'node:assert/strict'
import { type AzureRow, clientId, container, envOf, mountsOf, podOf, type SeenPod } from './azure-rows.ts'
import { type AzureSetting, type PodShape, tenant } from './azure-world.ts'

const older: AzureSetting = { serverVersion: 'v1.31.9' }
const names = (list: PodShape['spec']['initContainers']): readonly string[] => (list ?? []).map(({ name }) => name)
const isRefused = (message: string) => (seen: SeenPod) => {
  assert.equal(seen.refused, message)
}
const proxied = (more: Readonly<Record<string, string>> = {}, spec: object = {}): PodShape =>
  podOf({ annotations: { 'inject-proxy-sidecar': 'true', ...more }, spec })

interface ProxyContainer {
  readonly args?: readonly string[]
  readonly ports?: readonly { readonly containerPort: number }[]
  readonly lifecycle?: { readonly postStart: { readonly exec: { readonly command: readonly string[] } } }
  readonly restartPolicy?: string
  readonly env?: readonly { readonly name: string; readonly value?: string }[]
}

const found = (pod: PodShape, name: string): ProxyContainer =>
  [...(pod.spec.initContainers ?? []), ...pod.spec.containers].find(one => one.name === name) as unknown as ProxyContainer

const noPort = (port: number): string => `proxy sidecar port ${port} not valid. Expected value to be between 1 and 65535`
const notANumber = (text: string): string =>
  `failed to parse proxy sidecar port: strconv.ParseInt: parsing "${text}": invalid syntax`
const onHost = 'hostNetwork is set to true, cannot inject proxy sidecar'

const bothThere = {
  initContainers: [container('azwi-proxy-init')],
  containers: [container('azwi-proxy'), container('c0')],
}

export const proxyRows: readonly AzureRow[] = [
  {
    id: 'Z-42',
    what: 'before 1.32 the proxy is the first container, and its helper the last init container; both have the identity',
    setting: older,
    pod: proxied({}, { initContainers: [container('i0')] }),
    expect: ({ pod }) => {
      assert.deepEqual(
        [names(pod.spec.containers), names(pod.spec.initContainers)],
        [
          ['azwi-proxy', 'c0'],
          ['i0', 'azwi-proxy-init'],
        ],
      )
      for (const name of ['azwi-proxy', 'azwi-proxy-init']) {
        assert.equal(envOf(pod, name)['AZURE_CLIENT_ID'], clientId)
        assert.equal(mountsOf(pod, name).length, 1)
      }
      assert.equal(found(pod, 'azwi-proxy').restartPolicy, undefined)
    },
  },
  {
    id: 'Z-43',
    what: 'from 1.32 on the proxy is the first init container and goes on running',
    pod: proxied({}, { initContainers: [container('i0')] }),
    byServer: true,
    expect: ({ pod }) => {
      assert.deepEqual(names(pod.spec.initContainers), ['azwi-proxy', 'i0', 'azwi-proxy-init'])
      assert.equal(found(pod, 'azwi-proxy').restartPolicy, 'Always')
      assert.deepEqual(names(pod.spec.containers), ['c0'])
    },
  },
  {
    id: 'Z-44',
    what: 'the annotation counts by being there, also with the value false',
    pod: proxied({ 'inject-proxy-sidecar': 'false' }),
    byServer: true,
    expect: ({ pod }) => assert.deepEqual(names(pod.spec.initContainers), ['azwi-proxy', 'azwi-proxy-init']),
  },
  {
    id: 'Z-44',
    what: 'the annotation counts by its value where the flag asks for that [F-20]',
    setting: { flags: { 'proxy-requires-true': 'true' } },
    pod: proxied({ 'inject-proxy-sidecar': 'false' }),
    byServer: true,
    expect: ({ pod }) => assert.deepEqual(names(pod.spec.initContainers), []),
  },
  {
    id: 'Z-45',
    what: 'the port that the pod names is the same everywhere',
    pod: proxied({ 'proxy-sidecar-port': '8080' }),
    byServer: true,
    expect: ({ pod }) => {
      const { args, ports, lifecycle } = found(pod, 'azwi-proxy')
      assert.equal(args?.[0], '--proxy-port=8080')
      assert.equal(ports?.[0]?.containerPort, 8080)
      assert.equal(lifecycle?.postStart.exec.command[1], '--proxy-port=8080')
      assert.deepEqual(found(pod, 'azwi-proxy-init').env?.[0], { name: 'PROXY_PORT', value: '8080' })
    },
  },
  {
    id: 'Z-46',
    what: 'a port that is no number is a refusal',
    pod: proxied({ 'proxy-sidecar-port': 'x' }),
    byServer: true,
    expect: isRefused(notANumber('x')),
  },
  {
    id: 'Z-47',
    what: 'a port beyond 32 bits is a refusal',
    pod: proxied({ 'proxy-sidecar-port': '4294967296' }),
    byServer: true,
    expect: isRefused('failed to parse proxy sidecar port: strconv.ParseInt: parsing "4294967296": value out of range'),
  },
  {
    id: 'Z-48',
    what: 'port 0 is a refusal [F-18]',
    pod: proxied({ 'proxy-sidecar-port': '0' }),
    byServer: true,
    expect: isRefused(noPort(0)),
  },
  {
    id: 'Z-48',
    what: 'a port beyond 65535 is a refusal [F-18]',
    pod: proxied({ 'proxy-sidecar-port': '70000' }),
    byServer: true,
    expect: isRefused(noPort(70_000)),
  },
  {
    id: 'Z-49',
    what: 'a bad port of a pod that wants no proxy is not looked at',
    pod: podOf({ annotations: { 'proxy-sidecar-port': 'x' } }),
    byServer: true,
    expect: ({ pod }) => assert.equal(envOf(pod)['AZURE_CLIENT_ID'], clientId),
  },
  {
    id: 'Z-50',
    what: 'the proxy cannot be had on the network of the host',
    pod: proxied({}, { hostNetwork: true }),
    byServer: true,
    expect: isRefused(onHost),
  },
  {
    id: 'Z-51',
    what: 'a pod on the network of the host is given its identity',
    pod: podOf({ spec: { hostNetwork: true } }),
    byServer: true,
    expect: ({ pod }) => assert.equal(envOf(pod)['AZURE_CLIENT_ID'], clientId),
  },
  {
    id: 'Z-52',
    what: 'proxy containers that are there already are not added again, and are given the identity',
    setting: older,
    pod: proxied({}, bothThere),
    expect: ({ pod }) => {
      assert.deepEqual([names(pod.spec.containers), names(pod.spec.initContainers)], [['azwi-proxy', 'c0'], ['azwi-proxy-init']])
      for (const name of ['azwi-proxy', 'azwi-proxy-init']) assert.equal(envOf(pod, name)['AZURE_CLIENT_ID'], clientId)
    },
  },
  {
    id: 'Z-52',
    what: 'a proxy container that stands in the other list is not added again [F-28]',
    pod: proxied({}, bothThere),
    byServer: true,
    expect: ({ pod }) =>
      assert.deepEqual([names(pod.spec.containers), names(pod.spec.initContainers)], [['azwi-proxy', 'c0'], ['azwi-proxy-init']]),
  },
  {
    id: 'Z-53',
    what: 'proxy containers that the pod skips have no identity',
    pod: proxied({ 'skip-containers': 'azwi-proxy;azwi-proxy-init' }),
    byServer: true,
    expect: ({ pod }) => {
      assert.deepEqual([envOf(pod, 'azwi-proxy'), mountsOf(pod, 'azwi-proxy')], [{}, []])
      assert.deepEqual(envOf(pod, 'azwi-proxy-init'), { PROXY_PORT: '8000' })
    },
  },
  {
    id: 'Z-54',
    what: 'of an unknown ServiceAccount and a bad port the ServiceAccount is told',
    account: null,
    pod: proxied({ 'proxy-sidecar-port': 'x' }),
    expect: isRefused('serviceaccounts "app" not found'),
  },
  {
    id: 'Z-55',
    what: 'of a bad port and a bad life the port is told',
    pod: proxied({ 'proxy-sidecar-port': 'x', 'service-account-token-expiration': 'x' }),
    byServer: true,
    expect: isRefused(notANumber('x')),
  },
  {
    id: 'Z-56',
    what: 'the proxy cannot be had in a pod for Windows [F-29]',
    pod: proxied({}, { os: { name: 'windows' } }),
    byServer: true,
    expect: isRefused('spec.os.name is windows, cannot inject proxy sidecar'),
  },
]

const endpoint: AzureSetting = {
  flags: {
    'volume-layout': 'reserved',
    'custom-token-endpoint-annotation-suffix': 'aks',
    'custom-token-endpoint-audience': 'https://tokens.example/aud',
  },
  env: {
    AZURE_TENANT_ID: tenant,
    AZURE_KUBERNETES_TOKEN_PROXY: 'https://proxy.example:9443/tokens',
    AZURE_KUBERNETES_SNI_NAME: 'sni.example',
    AZURE_KUBERNETES_CA_CONFIGMAP_NAME: 'azwi-ca',
  },
}

const sourcesOf = (pod: PodShape): readonly object[] =>
  pod.spec.volumes?.find(({ projected }) => projected)?.projected?.sources ?? []
const audienceOf = (pod: PodShape): unknown =>
  (sourcesOf(pod) as readonly { serviceAccountToken?: { audience?: string; path: string } }[]).find(
    ({ serviceAccountToken }) => serviceAccountToken?.path === 'token/azure-identity-token',
  )?.serviceAccountToken?.audience

export const endpointRows: readonly AzureRow[] = [
  {
    id: 'Z-59',
    what: 'a pod that asks for the custom token endpoint has its audience, its authority and its variables after the four',
    setting: endpoint,
    pod: podOf({ annotations: { 'use-aks': 'TRUE' } }),
    byServer: true,
    expect: ({ pod }) => {
      assert.equal(audienceOf(pod), 'https://tokens.example/aud')
      assert.deepEqual(sourcesOf(pod)[1], {
        configMap: { name: 'azwi-ca', items: [{ key: 'ca.crt', path: 'ca-cert/ca.crt' }], optional: false },
      })
      assert.deepEqual(Object.entries(envOf(pod)).slice(4), [
        ['AZURE_KUBERNETES_TOKEN_PROXY', 'https://proxy.example:9443/tokens'],
        ['AZURE_KUBERNETES_SNI_NAME', 'sni.example'],
        ['AZURE_KUBERNETES_CA_FILE', '/var/run/secrets/azure/wi/ca-cert/ca.crt'],
      ])
    },
  },
  ...['yes', undefined].map(value => ({
    id: 'Z-60',
    what: `a pod that does not ask for the custom token endpoint (${value ?? 'no annotation'}) has the usual audience and no more variables`,
    setting: endpoint,
    pod: podOf(value === undefined ? {} : { annotations: { 'use-aks': value } }),
    byServer: true,
    expect: ({ pod }: SeenPod) => {
      assert.equal(audienceOf(pod), 'api://AzureADTokenExchange')
      assert.equal(Object.keys(envOf(pod)).length, 4)
    },
  })),
]

export const endpointSetting: AzureSetting = endpoint
