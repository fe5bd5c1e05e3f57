// What the emulator's tables hold, as objects that invariants can look at: IAM's roles, policies and providers, EKS's associations, S3's
// buckets with their documents, ACM's certificates, Route 53's zones and records. The state itself is read, and not what calls answer: an answer may be late or old.
import { given } from '#base'
import type { KubeObject } from '#kube'
import type { CloudStores } from '#simulator'

type Values = Readonly<Record<string, unknown>>
type Entries = readonly (readonly [name: string, value: unknown])[]

export interface AwsObject extends KubeObject {
  readonly spec: Values
}

const kinds: Readonly<Record<string, string>> = { roles: 'Role', policies: 'Policy', providers: 'OidcProvider' }

/** Everything of these services. The account stands as namespace. */
export function awsObjects(stores: CloudStores): readonly AwsObject[] {
  return [
    ...stores('iam').flatMap(({ account, state }) =>
      Object.entries(kinds).flatMap(([table, kind]) =>
        latest(state[table]).map(([name, value]) => make('aws/iam', kind, account, name, value)),
      ),
    ),
    ...stores('eks').flatMap(({ account, state }) =>
      entries(state['clusters']).flatMap(([cluster, value]) =>
        latest((value as Values)['associations']).map(([name, association]) =>
          make('aws/eks', 'PodIdentityAssociation', account, `${cluster}/${name}`, association),
        ),
      ),
    ),
    ...stores('s3').flatMap(({ state }) =>
      entries(state['buckets']).map(([name, value]) => {
        const { account, createdMs, uploads: _, objects, ...bucket } = value as Values
        const [policy, publicAccessBlock] = [newest(bucket['policy']), newest(bucket['publicAccessBlock'])]
        const spec = { ...bucket, policy, publicAccessBlock, id: `${name}/${String(createdMs)}`, documents: documentsOf(objects) }
        return make('aws/s3', 'Bucket', String(account), name.split('|').at(-1) ?? name, spec)
      }),
    ),
    ...stores('acm').flatMap(({ account, state }) =>
      entries(state['certificates']).flatMap(([id, value]) => {
        // Deleted, and only described for a while.
        if ((value as Values)['deletedMs'] !== undefined) return []
        const { validations: _v, issued: _i, detailsMs: _d, visibleMs: _s, account: _a, ...certificate } = value as Values
        return [make('aws/acm', 'Certificate', account, id, certificate)]
      }),
    ),
    ...stores('route53').flatMap(({ state }) => {
      const tags = new Map(entries(state['tags']))
      return entries(state['zones']).flatMap(([id, value]) => zone(id, value as Values, tags.get(`hostedzone/${id}`)))
    }),
  ]
}

/** A zone and the records in it that somebody asked for. */
function zone(id: string, value: Values, tags: unknown): readonly AwsObject[] {
  const { versions, nameServers: _n, account, ...rest } = value
  const sets = entries((entries(versions).at(-1)?.[1] as Values | undefined)?.['sets'])
  const records = sets.flatMap(([, set]) => {
    const { Name, Type } = set as { readonly Name: string; readonly Type: string }
    if (Type === 'SOA' || Type === 'NS') return []
    return [make('aws/route53', 'RecordSet', String(account), `${id}/${Name}/${Type}`, set as Values)]
  })
  return [make('aws/route53', 'HostedZone', String(account), id, { ...rest, tags }), ...records]
}

/** What a setting is by now, of those that readers see late; without the time at which it became so. */
function newest(timeline: unknown): unknown {
  return Array.isArray(timeline) ? (timeline.at(-1) as { readonly value?: unknown } | undefined)?.value : undefined
}

/** The text of each object of a bucket, by key. */
function documentsOf(objects: unknown): Readonly<Record<string, string>> {
  return Object.fromEntries(
    entries(objects).flatMap(([, stored]) => {
      const { key, versions } = stored as { key: string; versions: readonly { content?: { body: { $bytes: string } } }[] }
      const content = versions[0]?.content
      return content === undefined ? [] : [[key, Buffer.from(content.body.$bytes, 'base64').toString()]]
    }),
  )
}

/** Without what the provider counts and dates for itself: two runs that end alike have that in common. */
function make(apiVersion: string, kind: string, namespace: string, name: string, value: Values): AwsObject {
  const { id, arn, tags, writtenBy: _by, versions, defaultVersion, nextVersion: _next, ...rest } = value
  const spec = Object.fromEntries(Object.entries(rest).filter(([field]) => !/(?:At|created|modified)Ms$/.test(field)))
  const document = inForce(versions, defaultVersion)
  const metadata = { namespace, name, uid: [id, arn].find(one => typeof one === 'string') ?? name, labels: tagsOf(tags) }
  return { apiVersion, kind, metadata, spec: { ...spec, ...given({ document }) } }
}

/** Of a policy's versions, what the one that counts says. */
function inForce(versions: unknown, id: unknown): string | undefined {
  if (!Array.isArray(versions)) return undefined
  return versions.find((version: { readonly id: string; readonly document: string }) => version.id === id)?.document
}

/** IAM keeps tags as a list, the others as a map. */
function tagsOf(tags: unknown): Readonly<Record<string, string>> {
  if (!Array.isArray(tags)) return (tags ?? {}) as Readonly<Record<string, string>>
  return Object.fromEntries(tags.map(({ Key, Value }: { Key: string; Value: string }) => [Key, Value]))
}

function entries(map: unknown): Entries {
  return (map as { readonly $map: Entries } | undefined)?.$map ?? []
}

/** Of tables whose readers see changes late, what stands there by now. */
function latest(map: unknown): readonly (readonly [string, Values])[] {
  return entries(map).flatMap(([name, versions]) => {
    const value = (versions as readonly { readonly value?: Values }[]).at(-1)?.value
    return value === undefined ? [] : [[name, value] as const]
  })
}
