// Certs whose ARN is written into other objects, whose key goes into a Secret, and which a policy limits: what belongs to somebody else stays
// whatever goes wrong, no key stands anywhere but in the Secret, and in the end each target names the certificates that there are.
import { dirname } from 'node:path/posix'
import { isRecord } from '#base'
import { type KubeObject, renderCrd } from '#kube'
import { type Cert, certKind, publishTypesDefault } from '#operators/certificates'
import { certPolicyKind } from '#operators/certificates/api'
import type { Deed, Effect, Subject, World } from '#simulator'
import {
  alternatives,
  arnOf,
  certificatesSubject,
  change,
  claimsOf,
  deletesCertificate,
  fqdn,
  isCertificate,
  make,
  namesOf,
  remove,
  rotation,
  startWith,
  unfinished,
} from '../certificates.ts'
import { creates, deed, edits, removes } from '../deeds.ts'

const annotation = 'alb.ingress.kubernetes.io/certificate-arn'
const foreign = ['a', 'b'].map(id => `arn:aws:acm:eu-west-1:999999999999:certificate/${id}`)
const ingressPath = '/apis/networking.k8s.io/v1/namespaces/default/ingresses/shop'
const policyPath = '/apis/acm.ops.example.dev/v1/certpolicies/names'
const [mapName, strangersMap, secretName] = ['web-cert', 'taken', 'web-tls']
const late = 'late'

const ingress = {
  apiVersion: 'networking.k8s.io/v1',
  kind: 'Ingress',
  metadata: { namespace: 'default', name: 'shop', annotations: { [annotation]: foreign.join(',') } },
  spec: { defaultBackend: { service: { name: 'shop', port: { number: 80 } } } },
}
const strangers = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { namespace: 'default', name: strangersMap },
  data: { owner: 'somebody' },
}
const policy = {
  apiVersion: certPolicyKind.apiVersion,
  kind: 'CertPolicy',
  metadata: { name: 'names' },
  spec: { allowedDomains: ['web-prod', 'api-prod', 'second'].map(fqdn) },
}

/** Its many watches tell of every minute: what is looked at again is looked at soon, so that a run does not last for hours. */
const lookMs = 240_000

const intoIngress = { kind: 'Ingress', name: 'shop', primary: false } as const
const intoMap = (name: string) => ({ kind: 'ConfigMap', name, primary: false }) as const

function editsIngress(label: string, listOf: (arns: readonly string[]) => readonly string[]): Deed {
  return deed(label, ingressPath, undefined, async world => {
    const arns = arnsIn(objectsOf(world, 'Ingress')[0])
    const body = { metadata: { annotations: { [annotation]: listOf(arns).join(',') } } }
    await world.act('hub', 'PATCH', ingressPath, body, 'application/merge-patch+json')
  })
}

export const publishedCertificatesSubject: Subject = {
  ...certificatesSubject,
  name: 'certificates-published',
  objects: () => [renderCrd(certKind), renderCrd(certPolicyKind), strangers, policy],
  start: process =>
    startWith(process, { hasPolicies: true, exportNamespaces: ['default'], publish: { types: publishTypesDefault }, lookMs }),
  script: [
    { ...creates('create Ingress shop', { path: dirname(ingressPath) }, ingress, 0), creates: true },
    { ...make('web', { publish: [intoIngress, intoMap(mapName)], export: { secretName }, rotation }, 0), creates: true },
    { ...make('api', { publish: [intoIngress, intoMap(strangersMap)], rotation }, 0), creates: true },
    change('web', alternatives('second'), 24_000),
    change('web', alternatives('second', late), 60_000),
    remove('api', 80_000),
    edits('the policy allows more', { path: policyPath }, { spec: { allowedDomains: [`*.${fqdn('x').slice(2)}`] } }, 120_000),
  ],
  disturbances: [
    { ...editsIngress('somebody takes our ARNs out', arns => arns.filter(arn => foreign.includes(arn))), fault: 'F18' },
    { ...editsIngress('somebody turns the list around', arns => [...arns].reverse()), fault: 'F18' },
    { ...change('web', { spec: { publish: [intoMap(mapName)] } }, undefined), fault: 'F18' },
    { ...change('web', { metadata: { labels: { team: 'a' } } }, undefined), fault: 'F18' },
    {
      ...removes('somebody deletes the ConfigMap', { path: `/api/v1/namespaces/default/configmaps/${mapName}` }, undefined),
      fault: 'F18',
    },
    {
      ...removes('somebody deletes the Secret', { path: `/api/v1/namespaces/default/secrets/${secretName}` }, undefined),
      fault: 'F18',
    },
    { ...remove('web', undefined), fault: 'F19' },
    { ...deed('somebody deletes the certificate of web', undefined, undefined, deletesCertificate('web')), fault: 'F23' },
  ],
  reasons: [
    ...certificatesSubject.reasons,
    'Published',
    'TargetMissing',
    'Conflict',
    'Forbidden',
    'Exported',
    'NotIssued',
    'NotExportable',
    'NamespaceNotListed',
  ],
  // The certificate in the Secret is another one in each run.
  endsAs: object => (object.kind === 'Secret' ? { ...object, data: {} } : object),
  readsAtRestPerMinute: (world, rest) => {
    const own = certificatesSubject.readsAtRestPerMinute
    return (typeof own === 'number' ? own : own(world, rest)) * 12
  },
  settleMs: 3_600_000,
  settleStreamsMs: 3_600_000,
  invariants: [
    ...certificatesSubject.invariants,
    { code: 'S2', check: othersStay },
    { code: 'S9', check: publishedIsIssued },
    { code: 'S16', check: keysStayInSecrets },
    { code: 'S15', check: asPoliciesAllow },
  ],
  unfinished: world => unfinished(world) ?? unpublished(world),
}

const objectsOf = (world: World, kind: string): readonly KubeObject[] =>
  [...world.objects()].filter(object => object.kind === kind)

function arnsIn(object: KubeObject | undefined): readonly string[] {
  return (object?.metadata.annotations?.[annotation] ?? '').split(',').filter(arn => arn !== '')
}

/** ARNs of others in their order, and a ConfigMap that is not ours. */
function othersStay({ by, before, after }: Effect): string | undefined {
  if (by === 'user') return undefined
  const object = after ?? before
  if (object?.kind === 'ConfigMap' && object.metadata.name === strangersMap) return `${by} writes the ConfigMap of a stranger`
  if (before?.kind !== 'Ingress') return undefined
  const othersIn = (object: KubeObject | undefined): string =>
    arnsIn(object)
      .filter(arn => foreign.includes(arn))
      .join()
  return othersIn(before) === othersIn(after) ? undefined : `${by} changes the ARNs of others: ${othersIn(after)}`
}

/** What a load balancer is given was issued when it was written. */
function publishedIsIssued({ by, before, after }: Effect, world: World): string | undefined {
  if (by === 'user' || after?.kind !== 'Ingress') return undefined
  const had = arnsIn(before)
  const added = arnsIn(after).find(arn => !had.includes(arn))
  if (added === undefined) return undefined
  const wasIssued = world.effects.some(
    ({ after: each }) => isCertificate(each) && arnOf(each.metadata.name ?? '') === added && each.spec['status'] === 'ISSUED',
  )
  return wasIssued ? undefined : `${by} writes ${added}, which never was issued`
}

function keysStayInSecrets({ by, after }: Effect): string | undefined {
  if (by === 'user' || after === undefined || after.kind === 'Secret') return undefined
  return JSON.stringify(after).includes('PRIVATE KEY')
    ? `${by} writes a key into ${after.kind} ${after.metadata.name}`
    : undefined
}

/** The policy only ever allows more: what it forbids now it forbade when the request was decided. */
function asPoliciesAllow({ by, before, after }: Effect, world: World): string | undefined {
  if (by === 'user' || before !== undefined || !isCertificate(after)) return undefined
  const [held] = objectsOf(world, 'CertPolicy')
  const spec = held === undefined ? {} : (Reflect.get(held, 'spec') as { readonly allowedDomains?: readonly string[] })
  const isNarrow = spec.allowedDomains?.some(domain => domain.startsWith('*.')) !== true
  return isNarrow && namesOf(after).includes(fqdn(late)) ? `${by} asks for ${fqdn(late)}, which the policy forbids` : undefined
}

/** Each target names the current certificates of the Certs that name it, and none that nobody has any more. */
function unpublished(world: World): string | undefined {
  const listed = arnsIn(objectsOf(world, 'Ingress')[0])
  const wanted = claimsOf(world).filter(({ spec }) => spec.publish?.some(({ kind }) => kind === 'Ingress') === true)
  const missing = wanted.find(({ status }) => !listed.includes(status?.certificateArn ?? ''))
  if (missing !== undefined) return `the Ingress does not have the ARN of ${missing.metadata.name}`
  const current = new Set(wanted.map(({ status }) => status?.certificateArn))
  const surplus = listed.find(arn => !foreign.includes(arn) && !current.has(arn))
  if (surplus !== undefined) return `the Ingress still has ${surplus}`
  const untold = claimsOf(world).find(cert => !isTold(cert))
  if (untold !== undefined) return `${untold.metadata.name} does not say yet where its ARN stands`
  const web = claimsOf(world).find(({ metadata }) => metadata.name === 'web')
  return web === undefined ? undefined : unexported(web, world)
}

/** What was written is said in the same pass, a moment later. */
function isTold({ spec, status }: Cert): boolean {
  // ACM renews what was exported: the next look after the export sees that.
  if (spec.export !== undefined && status?.renewal?.eligibility !== 'ELIGIBLE') return false
  const isDue = (type: string): boolean =>
    status?.conditions?.some(each => each.type === type && each.observedGeneration === status.observedGeneration) === true
  const places = status?.published ?? []
  const isExported = status?.conditions?.every(({ type, status: is }) => type !== 'Exported' || is === 'True') === true
  return isExported && isDue('Published') && places.every(({ applied, arn }) => !applied || arn === status?.certificateArn)
}

function unexported({ status }: Cert, world: World): string | undefined {
  const named = (kind: string, name: string): KubeObject | undefined =>
    objectsOf(world, kind).find(({ metadata }) => metadata.name === name)
  const data = Reflect.get(named('ConfigMap', mapName) ?? {}, 'data')
  if (!isRecord(data) || data['certificateArn'] !== status?.certificateArn) return 'the ConfigMap does not have the ARN'
  const annotations = named('Secret', secretName)?.metadata.annotations ?? {}
  return Object.values(annotations).includes(status?.certificateArn ?? '') ? undefined : 'the Secret has another certificate'
}
