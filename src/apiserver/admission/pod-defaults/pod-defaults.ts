// What admission adds to a new pod: its service account with the token volume, tolerations.

import type { Random } from '#base'
import { isRecord } from '#base'
import { type Draft } from '../../draft.ts'
import { forbidden } from '../../refusals.ts'
import type { StorePort } from '../../store/store.ts'
import type { AdmissionAttributes } from '../admission.ts'
import type { MakePlugin } from '../plugin.ts'

const tokenPath = '/var/run/secrets/kubernetes.io/serviceaccount'
const suffixAlphabet = 'bcdfghjklmnpqrstvwxz2456789'
const defaultTolerations = ['node.kubernetes.io/not-ready', 'node.kubernetes.io/unreachable']

interface Container {
  readonly volumeMounts?: readonly { readonly mountPath?: string }[]
}

interface PodSpec {
  readonly serviceAccountName?: string
  readonly automountServiceAccountToken?: boolean
  readonly containers?: readonly Container[]
  readonly initContainers?: readonly Container[]
  readonly volumes?: readonly { readonly name?: string }[]
  readonly imagePullSecrets?: readonly unknown[]
  readonly tolerations?: readonly { readonly key?: string; readonly effect?: string }[]
}

export const podDefaults: MakePlugin = ports => ({ name: 'PodDefaults', mutate: attributes => admitPod(ports, attributes) })

interface PodPorts extends StorePort {
  readonly random: Random
}

function admitPod(ports: PodPorts, attributes: AdmissionAttributes): Draft | undefined {
  const { kind, operation, subresource, object } = attributes
  const isPod = kind.resource.group === '' && kind.resource.plural === 'pods'
  if (object === undefined || !isPod || subresource !== '' || !isRecord(object.spec)) return object
  if (operation === 'UPDATE') return { ...object, spec: withTolerations(object.spec) }
  if (operation !== 'CREATE') return object
  // A pod that a node runs by itself is given no account.
  const isStatic = object.metadata.annotations?.['kubernetes.io/config.mirror'] !== undefined
  const spec = isStatic ? object.spec : withServiceAccount(ports, attributes, object.spec)
  return { ...object, spec: withTolerations(spec) }
}

function withServiceAccount(ports: PodPorts, attributes: AdmissionAttributes, spec: PodSpec): PodSpec & Record<string, unknown> {
  const name = spec.serviceAccountName === undefined || spec.serviceAccountName === '' ? 'default' : spec.serviceAccountName
  const account = ports.store.table('serviceaccounts').rows.get(`${attributes.namespace}/${name}`)?.object
  if (account === undefined) {
    const why = `error looking up service account ${attributes.namespace}/${name}: serviceaccount ${JSON.stringify(name)} not found`
    throw forbidden(attributes.kind.resource, attributes.object?.metadata.name ?? '', why)
  }
  const secrets = (account.imagePullSecrets ?? []) as readonly unknown[]
  const withName = {
    ...spec,
    serviceAccountName: name,
    serviceAccount: name,
    ...((spec.imagePullSecrets ?? []).length === 0 && secrets.length > 0 ? { imagePullSecrets: secrets } : {}),
  }
  const automount = spec.automountServiceAccountToken ?? (account.automountServiceAccountToken as boolean | undefined) ?? true
  return automount ? withTokenVolume(ports, withName) : withName
}

/** Only for containers that mount nothing there themselves; a pod without such containers gets no volume. */
function withTokenVolume(ports: PodPorts, spec: PodSpec & Record<string, unknown>): PodSpec & Record<string, unknown> {
  const needs = (container: Container): boolean => !(container.volumeMounts ?? []).some(mount => mount.mountPath === tokenPath)
  const all = [...(spec.containers ?? []), ...(spec.initContainers ?? [])]
  if (!all.some(needs)) return spec
  const known = (spec.volumes ?? []).find(volume => volume.name?.startsWith('kube-api-access-'))
  const name = known?.name ?? `kube-api-access-${suffix(ports)}`
  const mount = (container: Container): Container =>
    needs(container)
      ? {
          ...container,
          volumeMounts: [
            ...(container.volumeMounts ?? []),
            { name, readOnly: true, mountPath: tokenPath } as { mountPath: string },
          ],
        }
      : container
  return {
    ...spec,
    containers: (spec.containers ?? []).map(mount),
    ...(spec.initContainers === undefined ? {} : { initContainers: spec.initContainers.map(mount) }),
    volumes: known === undefined ? [...(spec.volumes ?? []), tokenVolume(name)] : spec.volumes,
  } as PodSpec & Record<string, unknown>
}

function tokenVolume(name: string): Record<string, unknown> {
  return {
    name,
    projected: {
      sources: [
        { serviceAccountToken: { expirationSeconds: 3_607, path: 'token' } },
        { configMap: { name: 'kube-root-ca.crt', items: [{ key: 'ca.crt', path: 'ca.crt' }] } },
        { downwardAPI: { items: [{ path: 'namespace', fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.namespace' } }] } },
      ],
      defaultMode: 420,
    },
  }
}

function suffix({ random }: PodPorts): string {
  let text = ''
  for (let index = 0; index < 5; index++) text += suffixAlphabet[random.integer(suffixAlphabet.length)]
  return text
}

function withTolerations(spec: PodSpec & Record<string, unknown>): PodSpec & Record<string, unknown> {
  const present = spec.tolerations ?? []
  const tolerates = (key: string): boolean =>
    present.some(
      toleration =>
        (toleration.key ?? '') === '' || (toleration.key === key && (toleration.effect ?? 'NoExecute') === 'NoExecute'),
    )
  const missing = defaultTolerations
    .filter(key => !tolerates(key))
    .map(key => ({ key, operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 300 }))
  return missing.length === 0 ? spec : { ...spec, tolerations: [...present, ...missing] }
}
