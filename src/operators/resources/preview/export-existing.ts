// What is in AWS already, as manifests that adopt it: listed by the kind's own list operation, read as the operator reads, and written with
// the identifiers by which adoption finds it.
import { parseAccountId } from '#aws'
import type { KubeObject } from '#kube'
import { annotations, type Resource } from '../api.ts'
import { chooseKinds } from '../create-operator.ts'
import type { Caller, DeviatingKind } from '../kinds/deviation.ts'
import { textOf } from '../model/convert.ts'
import type { KindModel } from '../model/kind-model.ts'
import type { Content } from '../model/request.ts'
import { isReserved, tagsIn, withTags } from '../model/tags.ts'
import { type Listed, ListingError, listed } from '../observe/listed.ts'
import { readResource } from '../observe/read-aws.ts'
import type { ResourcesOptions } from '../options.ts'
import { adoptionKeys } from '../ownership/adoption-keys.ts'
import type { Place } from '../place/select-place.ts'
import { lookingEquipment } from './looking-equipment.ts'

export interface ExportOptions {
  readonly kind: string
  readonly namespace: string
  /** Inputs that the list needs, such as `clusterName`. */
  readonly with: Readonly<Record<string, string>>
  /** What an object looks after already, ours or one of AWS Controllers for Kubernetes, is left out without this: two would be one too many. */
  readonly managed?: boolean
  /** What was left out. */
  readonly onManaged?: (arn: string) => void
  readonly signal: AbortSignal
}

/** A kind whose resources cannot be listed, or not without being told where. */
export class ExportError extends Error {
  override readonly name = 'ExportError'
}

/** One manifest for each resource that the account has. */
export async function* exportExisting(options: ResourcesOptions, asked: ExportOptions): AsyncGenerator<KubeObject> {
  const { services, kinds } = chooseKinds({ services: options.services, kinds: [asked.kind] })
  const [model, another] = kinds
  if (model === undefined) throw new ExportError(`no service has a kind ${asked.kind}`)
  if (another !== undefined)
    throw new ExportError(
      `${asked.kind} is a kind of several services: say which, as ${kinds.map(({ type }) => `${type.plural}.${type.group}`).join(' or ')}`,
    )
  const equipment = lookingEquipment(model, services, options)
  const { deviation } = equipment
  const { account, partition, region } = options.home
  const place: Place = { account: parseAccountId(account), partition, region }
  const caller = equipment.caller(place, asked.signal)
  const taken = new Set<string>()
  for await (const { content: wanted } of listing({ model, deviation }, asked, caller)) {
    const claim = stub(model, asked.namespace)
    const context = { model, deviation, claim, wanted, place, caller, adopting: true, justMade: false }
    const found = await readResource(context)
    if (found === undefined || found.isAbsent === true) continue
    if (asked.managed !== true && isMarked(model, found)) asked.onManaged?.(found.arn ?? '')
    else yield manifestOf({ model, deviation }, { found, wanted, namespace: asked.namespace, taken })
  }
}

async function* listing(kind: DeviatingKind, asked: ExportOptions, caller: Caller): AsyncGenerator<Listed> {
  try {
    yield* listed(kind, asked.with, caller)
  } catch (error) {
    if (!(error instanceof ListingError)) throw error
    const [missing] = error.missing
    throw new ExportError(`${error.message}${missing === undefined ? '' : `: give it by --with ${missing}=VALUE`}`, {
      cause: error,
    })
  }
}

/** Ours, and those of AWS Controllers for Kubernetes: each controller puts its own on. */
const ownTags = 'services.k8s.aws/'

function isMarked(model: KindModel, { spec }: Content): boolean {
  return Object.keys(tagsIn(model, spec)).some(key => key.startsWith(ownTags))
}

interface Written {
  readonly found: Content
  readonly wanted: Content
  readonly namespace: string
  readonly taken: Set<string>
}

function manifestOf({ model, deviation }: DeviatingKind, { found, wanted, namespace, taken }: Written): KubeObject {
  const { type } = model
  const spec = deviation.adoptedSpec?.(found.spec, found) ?? found.spec
  const tags = Object.entries(tagsIn(model, spec)).filter(([key]) => !isReserved(key) && !key.startsWith(ownTags))
  const fields: Record<string, unknown> = { ...wanted.status, ...wanted.spec }
  const needsArn = adoptionKeys(model).includes('arn') || Object.keys(fields).length === 0
  const identifiers = needsArn && found.arn !== undefined ? { arn: found.arn } : fields
  const name = freeName(textOf(Object.values(identifiers).at(-1) ?? found.arn ?? model.kind.kind), taken)
  return {
    apiVersion: `${type.group}/${type.version}`,
    kind: type.kind,
    metadata: {
      namespace,
      name,
      annotations: {
        [annotations.adoptionPolicy]: 'adopt',
        [annotations.adoptionFields]: JSON.stringify(identifiers),
      },
    },
    spec: JSON.parse(JSON.stringify(withTags(model, spec, Object.fromEntries(tags)))) as unknown,
  } as KubeObject
}

/** A name that Kubernetes takes, made of the resource's own. */
function freeName(text: string, taken: Set<string>): string {
  const base =
    (text.split(/[/:]/).at(-1) ?? text)
      .toLowerCase()
      .replaceAll(/[^a-z0-9.-]+/g, '-')
      .replaceAll(/^[^a-z0-9]+|[^a-z0-9]+$/g, '')
      .slice(0, 200) || 'resource'
  let name = base
  for (let count = 2; taken.has(name); count++) name = `${base}-${count}`
  taken.add(name)
  return name
}

function stub({ type }: KindModel, namespace: string): Resource {
  const metadata = { namespace, name: 'export', uid: 'export', resourceVersion: '0' }
  return { apiVersion: `${type.group}/${type.version}`, kind: type.kind, metadata } as Resource
}
