// What the hostile tenant does, drawn from numbers: objects that stand for what is another's with any forgeries on them, exports to and from
// where he has no business, references to Secrets of others. The same number is the same deed in every run.
import { type Random, seededRandom } from '#base'
import type { KubeObject } from '#kube'
import type { Resource } from '#operators/resources'
import type { Deed, World } from '#simulator'
import { type Forgery, forgeries, together } from './forgeries.ts'
import { exportsIn, lair, pathIn, type Served } from './lair.ts'
import { type Others, onceQuiet } from './quiet.ts'

/** Something of another's that is worth having. */
export interface Prize extends Served {
  /** Of the claim, where it is known beforehand. */
  readonly path?: string
  /** Finds the claim, where its name is made of a uid. */
  readonly find?: (world: World) => Resource | undefined
  /** What the tenant would have of it instead. */
  readonly evil: object
}

/** Where an export could do harm, or whence. */
export interface Spot {
  readonly kind: 'configmap' | 'secret'
  readonly namespace: string
  readonly name: string
  readonly key: string
}

export interface Aims {
  readonly prizes: readonly Prize[]
  readonly targets: readonly Spot[]
  readonly secrets: readonly Spot[]
  /** A resource of his own whose fields say what he likes, in each namespace where he may make exports. */
  readonly mouthpieces: readonly { readonly namespace: string; readonly name: string; readonly paths: readonly string[] }[]
  /** He may read Secrets by claims of certificates. */
  readonly certificates?: true
}

/** As many as asked for; each waits until the others are quiet. */
export function hostileDeeds(aims: Aims, others: Others, count: number): readonly Deed[] {
  return Array.from({ length: count }, (_, index) => onceQuiet(others, deedOf(aims, index, seededRandom(`hostile/${index}`))))
}

function deedOf(aims: Aims, index: number, random: Random): Deed {
  const draw = random.float()
  if (aims.mouthpieces.length > 0 && draw < 0.3) return exporting(aims, index, random)
  if (aims.certificates === true && draw < 0.45) return readingSecrets(aims, index, random)
  return standingFor(aims, index, random)
}

function pick<T>(random: Random, all: readonly T[]): T {
  return all[random.integer(all.length)] as T
}

/** Up to three of them, and our finalizer and the adopted mark, which are half of all proof, on every other object. */
function someForgeries(random: Random): readonly Forgery[] {
  const drawn = Array.from({ length: 1 + random.integer(3) }, () => pick(random, forgeries))
  const halves = halfProofs.filter(() => random.float() < 0.5)
  return [...new Set([...drawn, ...halves])]
}

const halfProofs = forgeries.slice(0, 2)

const endings = ['stays', 'goes at once', 'goes later', 'is changed and goes', 'loses its finalizers'] as const

/** An object of the same kind and of the same name in AWS. */
function standingFor({ prizes }: Aims, index: number, random: Random): Deed {
  const prize = pick(random, prizes)
  const chosen = someForgeries(random)
  const ending = pick(random, endings)
  const isEvil = random.float() < 0.6
  const name = `m${index}`
  const path = pathIn(lair, prize)
  const label = `${lair} #${index}: ${prize.kind} like another's with ${chosen.map(one => one.label).join(', ')}; it ${ending}`
  const run = async (world: World): Promise<void> => {
    const victim = prize.find?.(world) ?? (prize.path === undefined ? undefined : (world.find('hub', prize.path) as Resource))
    if (victim === undefined) return
    const finalizer = `finalizers.${prize.service}.services.k8s.aws/${prize.kind}`
    const metadata = { namespace: lair, name, ...together(chosen.map(one => one.of(victim, finalizer))) }
    const spec = { ...copied(victim.spec), ...(isEvil ? prize.evil : {}) }
    await world.act('hub', 'POST', path, { apiVersion: victim.apiVersion, kind: prize.kind, metadata, spec })
    ends(world, `${path}/${name}`, ending, { metadata: together(forgeries.map(one => one.of(victim, finalizer))) })
  }
  return { label, run }
}

/** References are the other's own, to objects beside it: what they led to is named instead, as the status says it. */
function copied(spec: Readonly<Record<string, unknown>> = {}): object {
  return Object.fromEntries(Object.entries(spec).filter(([name]) => !/Refs?$/.test(name)))
}

function ends(world: World, path: string, ending: (typeof endings)[number], more: object): void {
  const later = (label: string, afterMs: number, method: string, body?: object): void =>
    world.parkDeed({
      label: `${label} ${path}`,
      afterMs,
      run: async at => void (await at.act('hub', method, path, body, 'application/merge-patch+json')),
    })
  switch (ending) {
    case 'stays':
      return
    case 'goes at once':
      return later('delete', 0, 'DELETE')
    case 'goes later':
      return later('delete', 20_000, 'DELETE')
    case 'is changed and goes':
      later('forge', 10_000, 'PATCH', more)
      return later('delete', 25_000, 'DELETE')
    default:
      later('strip', 10_000, 'PATCH', { metadata: { finalizers: null } })
      return later('delete', 12_000, 'DELETE')
  }
}

/** A field that says what he likes, put where others believe it; or a Secret of another's, put where he can read it. */
function exporting({ mouthpieces, targets, secrets }: Aims, index: number, random: Random): Deed {
  const mouth = pick(random, mouthpieces)
  const isTheft = secrets.length > 0 && random.float() < 0.3
  const target = pick(random, targets)
  const source = isTheft ? pick(random, secrets) : undefined
  const resource =
    source === undefined
      ? { group: 'iam.services.k8s.aws', kind: 'Role', name: mouth.name }
      : { group: '', kind: 'Secret', name: source.name }
  const to = isTheft
    ? { kind: 'configmap', name: 'loot', key: 'loot', createIfMissing: true }
    : { kind: target.kind, name: target.name, namespace: target.namespace, key: target.key }
  const path = source === undefined ? pick(random, mouth.paths) : source.key
  const ending = pick(random, endings)
  const name = `m${index}`
  const what = source === undefined ? `${target.namespace}/${target.name} ${target.key}` : `the Secret ${source.name}`
  return {
    label: `${lair} #${index}: an export in ${mouth.namespace} ${source === undefined ? 'to' : 'of'} ${what}; it ${ending}`,
    run: async world => {
      const body = { apiVersion: 'services.k8s.aws/v1alpha1', kind: 'FieldExport', spec: { from: { path, resource }, to } }
      await world.act('hub', 'POST', exportsIn(mouth.namespace), { ...body, metadata: { namespace: mouth.namespace, name } })
      ends(world, exportsIn(mouth.namespace, name), ending, {
        metadata: { finalizers: ['finalizers.services.k8s.aws/FieldExport'] },
      })
    },
  }
}

/** A certificate whose key stands in a Secret of another's, or which is to be written into one. */
function readingSecrets({ secrets }: Aims, index: number, random: Random): Deed {
  const { namespace, name: secret, key } = pick(random, secrets)
  const there = { namespace, name: secret, key }
  const isImport = random.float() < 0.5
  const spec = isImport ? { certificate: there, privateKey: there } : { domainName: 'mallory.example.com', exportTo: there }
  const name = `m${index}`
  const ending = pick(random, endings)
  const served = { service: 'acm', kind: 'Certificate', plural: 'certificates' }
  return {
    label: `${lair} #${index}: a certificate ${isImport ? 'of' : 'into'} the Secret ${namespace}/${secret}; it ${ending}`,
    run: async world => {
      const body: KubeObject & { readonly spec: object } = {
        apiVersion: 'acm.services.k8s.aws/v1alpha1',
        kind: 'Certificate',
        metadata: { namespace: lair, name },
        spec,
      }
      await world.act('hub', 'POST', pathIn(lair, served), body)
      ends(world, pathIn(lair, served, name), ending, {})
    },
  }
}

export function secretOf({ namespace, name, key }: Spot, text: string): KubeObject {
  const data = { [key]: Buffer.from(text).toString('base64') }
  return { apiVersion: 'v1', kind: 'Secret', metadata: { namespace, name }, type: 'Opaque', data } as KubeObject
}

export function configMapOf({ namespace, name, key }: Spot, text: string): KubeObject {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { namespace, name }, data: { [key]: text } } as KubeObject
}
