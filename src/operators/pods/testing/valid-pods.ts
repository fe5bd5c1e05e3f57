// Pods of many shapes for an API server to judge, with identity and without.
import assert from 'node:assert/strict'
import * as fc from 'fast-check'
import { type KubeObject, pods } from '#kube'
import { type KubeClient, KubeError } from '#kube/client'

export const role = 'arn:aws:iam::111122223333:role/r'
export const prefix = 'eks.amazonaws.com'
export const withRole: Readonly<Record<string, string>> = { [`${prefix}/role-arn`]: role }

interface Container {
  readonly name: string
  readonly env?: readonly { readonly name: string; readonly value?: string }[]
  readonly volumeMounts?: readonly { readonly name: string; readonly mountPath: string }[]
  readonly [field: string]: unknown
}

export interface AskedPod extends KubeObject {
  readonly spec: {
    readonly automountServiceAccountToken?: boolean
    readonly serviceAccountName?: string
    readonly containers: readonly Container[]
    readonly initContainers?: readonly Container[]
    readonly volumes?: readonly { readonly name: string }[]
  }
}

export const podOf = (namespace: string, serviceAccountName: string, spec: object = {}, metadata: object = {}): AskedPod => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { namespace, generateName: 'p-', ...metadata },
  spec: { serviceAccountName, automountServiceAccountToken: false, containers: [{ name: 'a', image: 'img' }], ...spec },
})
export const roleIn = (pod: KubeObject): string | undefined =>
  (pod as AskedPod).spec.containers[0]?.env?.find(({ name }) => name === 'AWS_ROLE_ARN')?.value

/**
 * A pod that the server takes without identity it takes with it too, and nothing but identity is added: the pods of ServiceAccount `plain`
 * of the namespace against those of `app`, which has a role. Gives how many were valid.
 */
export async function assertValidStaysValid(
  client: KubeClient,
  namespace: string,
  { runs, seed }: { readonly runs: number; readonly seed: number },
): Promise<number> {
  let accepted = 0
  await fc.assert(
    fc.asyncProperty(podSpecs, async ({ spec, metadata }) => {
      const without = await dryRun(client, podOf(namespace, 'plain', spec, metadata))
      if (without === undefined) return
      accepted++
      const stored = await dryRun(client, podOf(namespace, 'app', spec, metadata))
      assert.ok(stored, 'valid without identity, refused with it')
      assertOnlyAdded(without, stored)
    }),
    { numRuns: runs, seed },
  )
  return accepted
}

/** What the API server would store, or undefined when it finds the pod invalid. */
async function dryRun(client: KubeClient, pod: AskedPod): Promise<AskedPod | undefined> {
  try {
    return await client.create(pods, pod, { dryRun: true, fieldValidation: 'Strict' })
  } catch (error) {
    if (error instanceof KubeError && error.reason === 'Invalid') return undefined
    throw error
  }
}

/** Identity on top, and nothing else changed: the same lists, with more at the known places. */
function assertOnlyAdded(without: AskedPod, stored: AskedPod): void {
  const ours = new Set([
    'AWS_STS_REGIONAL_ENDPOINTS',
    'AWS_DEFAULT_REGION',
    'AWS_REGION',
    'AWS_ROLE_ARN',
    'AWS_WEB_IDENTITY_TOKEN_FILE',
  ])
  const isOurMount = ({ name }: { name: string }): boolean => name === 'aws-iam-token'
  const strip = (container: Container, original: Container | undefined): Container => {
    const had = new Set(original?.env?.map(({ name }) => name))
    const env = container.env?.filter(({ name }) => !ours.has(name) || had.has(name))
    const kept = original?.volumeMounts?.some(isOurMount) === true
    const mounts = container.volumeMounts?.filter(mount => kept || !isOurMount(mount))
    const { env: _env, volumeMounts: _mounts, ...rest } = container
    return { ...rest, ...(env?.length ? { env } : {}), ...(mounts?.length ? { volumeMounts: mounts } : {}) }
  }
  const all = (list: readonly Container[] = [], originals: readonly Container[] = []) =>
    list.map((container, index) => strip(container, originals[index]))
  const had = without.spec.volumes?.some(({ name }) => name === 'aws-iam-token') === true
  const volumes = stored.spec.volumes?.filter(({ name }) => had || name !== 'aws-iam-token')
  const { containers, initContainers, volumes: _volumes, ...rest } = stored.spec
  const plain = {
    ...rest,
    serviceAccountName: without.spec.serviceAccountName,
    serviceAccount: without.spec.serviceAccountName,
    containers: all(containers, without.spec.containers),
    ...(initContainers === undefined ? {} : { initContainers: all(initContainers, without.spec.initContainers) }),
    ...(volumes?.length ? { volumes } : {}),
  }
  assert.deepEqual(plain, without.spec)
  assert.ok(stored.spec.volumes?.some(({ name }) => name === 'aws-iam-token'))
}

const word = fc.constantFrom('a', 'b', 'c', 'd')
const env = fc.uniqueArray(
  fc.record({
    name: fc.constantFrom('A', 'AWS_REGION', 'AWS_ROLE_ARN', 'AWS_STS_REGIONAL_ENDPOINTS', 'B'),
    value: fc.string({ maxLength: 5 }),
  }),
  { maxLength: 4, selector: ({ name }) => name },
)
const mounts = fc.constantFrom(
  [],
  [{ name: 'x', mountPath: '/x' }],
  [{ name: 'x', mountPath: '/var/run/secrets/eks.amazonaws.com/serviceaccount' }],
  // Another spelling is another path to the API server.
  [{ name: 'x', mountPath: '/var/run/secrets/eks.amazonaws.com/serviceaccount/' }],
  [{ name: 'aws-iam-token', mountPath: '/elsewhere' }],
)
const probe = fc.constantFrom(
  {},
  { livenessProbe: { grpc: { port: 1, service: 's' } } },
  { startupProbe: { exec: { command: ['x'] }, failureThreshold: 30 } },
)
const extras = fc.constantFrom(
  {},
  { resources: { limits: { cpu: '1', memory: '1Gi' } }, resizePolicy: [{ resourceName: 'cpu', restartPolicy: 'NotRequired' }] },
  {
    securityContext: { runAsUser: 1, appArmorProfile: { type: 'RuntimeDefault' } },
    terminationMessagePolicy: 'FallbackToLogsOnError',
  },
  { volumeDevices: [{ name: 'block', devicePath: '/var/run/secrets/eks.amazonaws.com/serviceaccount' }] },
  { volumeDevices: [{ name: 'block', devicePath: '/dev/x' }] },
  { volumeDevices: [{ name: 'aws-iam-token', devicePath: '/dev/y' }] },
  { lifecycle: { preStop: { sleep: { seconds: 1 } } }, envFrom: [{ configMapRef: { name: 'x', optional: true } }] },
)
const container = fc
  .record({ env, mounts, probe, extras })
  .map(({ env: entries, mounts: volumeMounts, probe: probes, extras: more }) => ({
    image: 'img',
    env: entries,
    volumeMounts,
    ...probes,
    ...more,
  }))
const named = (list: readonly object[], start: string) => list.map((one, index) => ({ name: `${start}${index}`, ...one }))
const podSpecs = fc
  .record({
    containers: fc.array(container, { minLength: 1, maxLength: 3 }),
    initContainers: fc.array(container, { maxLength: 2 }),
    isSidecar: fc.boolean(),
    ownToken: fc.boolean(),
    tokenVolume: fc.constantFrom({ emptyDir: {} }, { persistentVolumeClaim: { claimName: 'block' } }),
    annotations: fc.dictionary(
      fc.constantFrom(`${prefix}/token-expiration`, `${prefix}/skip-containers`, 'other'),
      fc.constantFrom('3600', '10', 'x', 'c0', 'c0,i0', '"c0"', 'a, b', '99999999999'),
    ),
    spec: fc.constantFrom(
      {},
      { nodeSelector: { 'kubernetes.io/os': 'windows' } },
      { hostNetwork: true, dnsPolicy: 'ClusterFirstWithHostNet' },
      { securityContext: { fsGroup: 1, supplementalGroupsPolicy: 'Merge' }, tolerations: [{ operator: 'Exists' }] },
      { readinessGates: [{ conditionType: 'x/y' }], overhead: undefined, setHostnameAsFQDN: true },
    ),
    label: word,
  })
  .map(({ containers, initContainers, isSidecar, ownToken, tokenVolume, annotations, spec, label }) => ({
    metadata: { annotations, labels: { label } },
    spec: {
      ...spec,
      containers: named(containers, 'c'),
      initContainers: named(initContainers, 'i').map(one =>
        isSidecar
          ? { ...one, restartPolicy: 'Always' }
          : { ...one, startupProbe: undefined, livenessProbe: undefined, lifecycle: undefined },
      ),
      volumes: [
        { name: 'x', emptyDir: {} },
        { name: 'block', persistentVolumeClaim: { claimName: 'block' } },
        ...(ownToken ? [{ name: 'aws-iam-token', ...tokenVolume }] : []),
      ],
    },
  }))
