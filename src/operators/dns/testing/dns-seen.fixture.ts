// What a pass over one ExternalDNS sees, built up: a test shows only what matters to it.
import type { StoredObject } from '#kube'
import type { ExternalDns } from '../api/kinds.ts'
import type { ApiVersionName } from '../api/names.ts'
import { modelOf } from '../convert/convert.ts'
import type { CredentialsSecret, DnsSeen } from '../external-dns/seen.ts'
import type { PreflightFinding } from '../findings/findings.ts'
import { type Platform, plainKubernetes } from '../operand/request.ts'
import type { DnsSettings } from '../settings.ts'
import { awsSpec, settings } from './dns-world.ts'

export interface SeenOptions extends Partial<Omit<DnsSeen, 'dns' | 'model' | 'surroundings'>> {
  readonly version?: ApiVersionName
  readonly spec?: object
  readonly status?: object
  readonly metadata?: object
  readonly settings?: Partial<DnsSettings>
  readonly platform?: Platform
}

const stored = (name: string, more: object = {}): object => ({
  metadata: { namespace: 'external-dns', name, uid: `uid-of-${name}`, resourceVersion: '1', ...more },
})

/** The Secret that the operand mounts, as it was copied for `blue`. */
export const target = stored('external-dns-credentials-blue') as CredentialsSecret
const keys = { aws_access_key_id: 'QQ==', aws_secret_access_key: 'Qg==' }
/** The ServiceAccount of the operand of `blue`. */
export const account = (annotations: object = {}): StoredObject => stored('external-dns-blue', { annotations }) as StoredObject

/** A try that shows all well, a minute after the beginning of time. */
export const tried = (more: Partial<PreflightFinding> = {}): PreflightFinding => ({
  fingerprint: 'of another try',
  conditions: [],
  at: 60_000,
  ...more,
})

/** Of an object `blue` whose Secret is there and whose operand is not. */
export function dnsSeen({
  version = 'v1beta2',
  spec = {},
  status,
  metadata = {},
  settings: more,
  platform,
  ...rest
}: SeenOptions = {}): DnsSeen {
  const dns = {
    apiVersion: `externaldns.olm.openshift.io/${version}`,
    kind: 'ExternalDNS',
    metadata: {
      name: 'blue',
      uid: 'uid-1',
      generation: 1,
      resourceVersion: '1',
      creationTimestamp: '2026-01-01T00:00:00Z',
      ...metadata,
    },
    spec: awsSpec(spec),
    ...(status === undefined ? {} : { status }),
  } as unknown as ExternalDns
  return {
    dns,
    model: modelOf(dns),
    surroundings: { settings: { ...settings, ...more }, platform: platform ?? plainKubernetes, hasRoutes: true },
    target,
    source: { name: 'dns-creds', secret: { ...stored('dns-creds'), data: keys } as unknown as CredentialsSecret },
    request: undefined,
    account: account(),
    deployment: undefined,
    trustedCa: undefined,
    pods: [],
    rivals: [],
    preflight: undefined,
    operand: undefined,
    sameOwner: [],
    sourceBinding: undefined,
    cleanupJob: undefined,
    platformDns: undefined,
    binding: undefined,
    ...rest,
  }
}
