// What is proven of a kind, against an AWS that is not ours: an object is made, each field that can be changed is changed, somebody else
// changes what we made, and it goes. After each step AWS is asked by a call of the test's own; a step without such an answer proves nothing.

import { createApiServer } from '#apiserver'
import { type ServiceModel, type ShippedService, serviceModel } from '#aws'
import { type AwsClients, AwsClients as Clients, netTransport, staticCredentials, type Transport } from '#aws/client'
import { given, type HttpExchange, type HttpRequest, silentLog, systemClock, systemNet, systemRandom } from '#base'
import { customResourceDefinitions, findCondition, type KubeObject, type ResourceType, type StoredObject } from '#kube'
import { createKubeClient } from '#kube/client'
import {
  adoptionKeysOf,
  createResourcesOperator,
  type Resource,
  type ResourcesOperator,
  type ShippedKinds,
  shippedService,
} from '#operators/resources'
import { createManager } from '#runtime'
import { Containing, type KindCase, type Probe } from './case.ts'
import { patiently, stepMs } from './patiently.ts'
import type { ProvenService } from './services.ts'

export const account = '123456789012'
export const region = 'us-east-1'

/** One thing that was tried: proven with what AWS said, or not, with why. */
export interface Step {
  readonly name: string
  readonly failure?: string
  /** Calls that our operator made for it. */
  readonly calls: readonly string[]
}

export interface Proof {
  readonly service: string
  readonly kind: string
  readonly steps: readonly Step[]
}

export interface ProofWorld {
  readonly url: string
  readonly services: readonly ProvenService[]
  /** Of those that we ship, IAM always. */
  readonly shipped?: readonly ShippedKinds[]
  /** Of services that make what kinds need, by the names that cases give them. */
  readonly models?: ReadonlyMap<string, ServiceModel>
  /** An account of moto's in which nobody else works: so cases go side by side. */
  readonly account?: string
}

/** An account for each of many that work at once. */
export function accountOf(index: number): string {
  return String(200_000_000_000 + index)
}

/** So many waits in a row without a call, and without one under way: a new process has looked at everything. */
const quietWaits = 15
/** An update without effect is tried twice, some seconds apart; who writes after so many restarts does not rest. */
const settlingRestarts = 4
/** Longer than the wait between two such tries. */
const againMs = 7_000
/** What has no call answered within this time has none to be interrupted at. */
const interruptMs = 15_000
/** A process that finds the record of a creation which another began waits a minute for what may have been made, before it makes it. */
const createMs = 240_000

export async function prove(at: ProofWorld, of: KindCase): Promise<Proof> {
  const seen: string[] = []
  const asked = at.account === undefined ? of : withTexts(of, text => text.replaceAll(account, at.account ?? account))
  let one = asked
  const world = await start(at, seen)
  const steps: Step[] = []
  const step = async (name: string, carryOut: () => Promise<void>): Promise<boolean> => {
    const from = seen.length
    try {
      await carryOut()
      // AWS may show what a call did before its answer is here.
      await world.calls(from)
      steps.push({ name, calls: seen.slice(from) })
      return true
    } catch (error) {
      steps.push({ name, calls: seen.slice(from), failure: error instanceof Error ? error.message : String(error) })
      return false
    }
  }
  try {
    const needed: unknown[] = []
    for (const [service, operation, input] of asked.needs ?? [])
      needed.push(await world.ask(service, operation, filled(input, { needed })))
    one = filled(asked, { needed })
    for (const other of asked.others ?? [])
      await world.create({ ...one, objects: [], service: one.service, ...other }, filled(other.spec, { needed }), {
        name: other.name,
      })
    const made = await step('create', async () => {
      if (asked.others !== undefined) one = filled(one, { needed, others: await world.others(one) })
      await world.create(one, one.spec)
      await world.interrupt()
      await world.ready(one, undefined, createMs)
      await world.shows(one, one.made)
    })
    if (made) {
      for (const { name, spec, probe, drift } of one.changes ?? []) {
        const changed = await step(name, async () => {
          await world.patch(one, { spec })
          await world.interrupt()
          await world.shows(one, probe)
          await world.ready(one)
        })
        if (!changed || drift === undefined) continue
        await step(`${name}: drift`, async () => {
          const object = await world.get(one)
          await world.ask(one.service, drift.operation, filled(drift.input, object))
          await world.patch(one, { metadata: { annotations: { 'services.k8s.aws/reconcile-at': new Date().toISOString() } } })
          await world.shows(one, probe)
        })
      }
    }
    if (made) await lifeOf(world, one, step)
    await step('delete', async () => {
      const last = (await world.get(one, 'again')) ?? (await world.get(one))
      await world.remove(one, (await world.get(one, 'again')) === undefined ? undefined : 'again', 'interrupted')
      await world.shows(one, one.gone, last)
    })
  } finally {
    await world.stop()
  }
  return { service: one.service, kind: one.kind, steps }
}

type TakeStep = (name: string, carryOut: () => Promise<void>) => Promise<boolean>

/** What every kind has to live through: a new process, a second object that only looks, one that lets go of it, and one that takes it over. */
async function lifeOf(world: World, one: KindCase, step: TakeStep): Promise<void> {
  await step('restart', async () => {
    // The first of them end what is under way.
    let writes: readonly string[] = ['?']
    for (let times = 0; times < settlingRestarts && writes.length > 0; times++) {
      const calls = await world.restart()
      writes = calls.filter(call => !/^(?:Get|List|Describe|GET |HEAD )/.test(call))
      if (writes.length > 0) await systemClock.sleep(againMs)
      await world.ready(one)
    }
    if (writes.length > 0) throw new Error(`a new process wrote ${writes.join(' ')}`)
    await world.ready(one)
  })
  const held = await world.get(one)
  const keys = world.adoptionFields(one, held)
  const fields = JSON.stringify(Object.fromEntries(keys))
  const isNamedBySpec = one.others === undefined && keys.every(([key]) => held?.spec?.[key] !== undefined)
  await step('read-only', async () => {
    const found = isNamedBySpec ? {} : { 'services.k8s.aws/adoption-fields': fields }
    const annotations = { 'services.k8s.aws/read-only': 'true', ...found }
    await world.create(one, isNamedBySpec ? (held?.spec ?? {}) : undefined, { name: 'look', annotations })
    await world.ready(one, 'look')
    assertSame(arnOf(await world.get(one, 'look')), arnOf(held))
    await world.remove(one, 'look')
    await world.stillThere(one, held)
  })
  const isLetGo = await step('retain', async () => {
    const from = world.called()
    await world.patch(one, { metadata: { annotations: { 'services.k8s.aws/deletion-policy': 'retain' } } })
    // What is retained goes without a call: only the look before it shows that somebody of ours was there.
    await world.calls(from)
    await world.remove(one)
    await world.stillThere(one, held)
  })
  if (!isLetGo) return
  await step('adoption', async () => {
    const annotations = { 'services.k8s.aws/adoption-policy': 'adopt', 'services.k8s.aws/adoption-fields': fields }
    await world.create(one, undefined, { name: 'again', annotations })
    await world.ready(one, 'again')
    assertSame(arnOf(await world.get(one, 'again')), arnOf(held))
  })
}

function arnOf(object: Resource | undefined): string | undefined {
  return object?.status?.ackResourceMetadata?.arn
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function assertSame(now: unknown, before: unknown): void {
  if (now !== before) throw new Error(`${String(now)} is not ${String(before)}`)
}

interface World {
  create(
    one: KindCase,
    spec: object | undefined,
    more?: { readonly name: string; readonly annotations?: Readonly<Record<string, string>> },
  ): Promise<void>
  patch(one: KindCase, body: object): Promise<void>
  get(one: KindCase, name?: string): Promise<Resource | undefined>
  ready(one: KindCase, name?: string, withinMs?: number): Promise<void>
  remove(one: KindCase, name?: string, how?: 'interrupted'): Promise<void>
  /** The objects that it refers to, once each is Ready. */
  others(one: KindCase): Promise<Readonly<Record<string, Resource | undefined>>>
  /** How many calls of our operator were answered. */
  called(): number
  /** Until there is one more than so many. */
  calls(from: number): Promise<void>
  /** The process ends at the next answer that it gets, and another one takes over: no step may depend on being carried out in one. */
  interrupt(): Promise<void>
  /** The calls that a new process makes until it is quiet. */
  restart(): Promise<readonly string[]>
  /** By what the resource of an object is adopted, as `adoption-fields` takes it. */
  adoptionFields(one: KindCase, object: Resource | undefined): readonly (readonly [string, string])[]
  stillThere(one: KindCase, object: Resource | undefined): Promise<void>
  /** Until AWS, asked by the test itself, says it. */
  shows(one: KindCase, probe: Probe, object?: Resource): Promise<void>
  ask(service: string, operation: string, input: object): Promise<unknown>
  stop(): Promise<void>
}

async function start(
  { url, services, models = new Map(), shipped = ['iam'], account: place }: ProofWorld,
  seen: string[],
): Promise<World> {
  const traffic: Traffic = { seen, underWay: 0 }
  const until = (wrong: () => Promise<string | undefined>, withinMs?: number): Promise<void> =>
    patiently(wrong, { happened: () => seen.length, ...given({ withinMs }) })
  const [own, ours] = [inAccount(netTransport(systemNet), place), inAccount(netTransport(systemNet), place)]
  const clientsOver = (transport: Transport): AwsClients =>
    new Clients({
      credentials: staticCredentials({ accessKeyId: 'test', secretAccessKey: 'test' }),
      transport,
      clock: systemClock,
      random: systemRandom,
      endpointOf: () => url,
    })
  const [mine, theirs] = [clientsOver(own), clientsOver(noting(ours, traffic))]
  const server = createApiServer()
  const kube = createKubeClient({ clock: systemClock, address: 'embedded', exchange: server.as() })
  const made = (): ResourcesOperator =>
    createResourcesOperator({
      services: [...shipped, ...services.map(({ service }) => service)],
      aws: theirs,
      home: { account: place ?? account, partition: 'aws', region },
      nowMs: () => systemClock.now(),
      secrets: ['*'],
      random: systemRandom,
    })
  const operator = made()
  for (const crd of [...shipped.map(shippedService), ...services].flatMap(({ crds }) => crds))
    await kube.patch(customResourceDefinitions, { namespace: '', name: crd.metadata.name ?? '' }, 'apply', crd, {
      fieldManager: 'test',
      force: true,
    })
  const typeOf = (one: KindCase): ResourceType => {
    const found = operator.kinds.find(({ kind, service }) => kind.kind === one.kind && service.alias === one.service)
    if (found === undefined) throw new Error(`${one.service} has no kind ${one.kind}`)
    return found.type
  }
  const begin = (): (() => Promise<void>) => {
    const stop = new AbortController()
    const { controllers, companions } = made()
    const manager = createManager({
      client: kube,
      seams: { clock: systemClock, random: systemRandom, log: silentLog },
      controllers,
      companions,
      identity: 'proof',
    })
    const run = manager.run(stop.signal)
    return async () => {
      stop.abort(new Error('the process ends'))
      await run
    }
  }
  let end = begin()
  const ask = (service: string, operation: string, input: object): Promise<unknown> => {
    const model =
      services.find(each => each.service.alias === service)?.full ??
      models.get(service) ??
      serviceModel(service as ShippedService)
    return mine.for({ model, region }).call(operation, input as Record<string, unknown>)
  }
  const interrupt = async (): Promise<void> => {
    const from = seen.length
    const endMs = systemClock.monotonicMs() + interruptMs
    while (seen.length === from && systemClock.monotonicMs() < endMs) await systemClock.sleep(2)
    await end()
    end = begin()
  }
  const calls = (from: number): Promise<void> =>
    until(() => Promise.resolve(seen.length > from ? undefined : 'no call of ours was seen'))
  const get = (one: KindCase, name?: string): Promise<Resource | undefined> => kube.find<Resource>(typeOf(one), keyOf(one, name))
  const answerTo = async (one: KindCase, probe: Probe, at: Resource | undefined): Promise<unknown> => {
    const input = filled(probe.input, at)
    // A name that nobody filled in is the name of nothing: AWS would say that it is not there.
    const unfilled = /\{(?:spec|status|needed|others)[\w.]*\/?\}/.exec(JSON.stringify(input))?.[0]
    if (unfilled !== undefined) throw new Error(`nothing says what ${unfilled} is`)
    try {
      return await ask(probe.service ?? one.service, probe.operation, input)
    } catch (error) {
      return { error: (error as { code?: string }).code ?? String(error) }
    }
  }
  return {
    create: async (one, spec, more) => {
      const type = typeOf(one)
      for (const object of more === undefined ? (one.objects ?? []) : [])
        await kube.create({ group: '', version: 'v1', kind: 'Secret', plural: 'secrets', namespaced: true }, object as KubeObject)
      await kube.create(type, {
        apiVersion: `${type.group}/${type.version}`,
        kind: one.kind,
        metadata: { ...keyOf(one, more?.name), annotations: more?.annotations ?? {} },
        ...given({ spec }),
      } as KubeObject)
    },
    patch: async (one, body) => void (await kube.patch<StoredObject>(typeOf(one), keyOf(one), 'merge', body)),
    get,
    called: () => seen.length,
    calls,
    interrupt,
    others: async one => {
      const found: Record<string, Resource | undefined> = {}
      for (const { name, kind, service = one.service } of one.others ?? []) {
        const other = { ...one, service, kind }
        await until(async () => notReady(await get(other, name)))
        found[name] = await get(other, name)
      }
      return found
    },
    restart: async () => {
      await end()
      const from = seen.length
      end = begin()
      await calls(from)
      let [counted, quiet] = [seen.length, 0]
      await until(() => {
        quiet = counted === seen.length && traffic.underWay === 0 ? quiet + 1 : 0
        counted = seen.length
        return Promise.resolve(quiet >= quietWaits ? undefined : `the new process goes on calling ${seen.slice(-8).join()}`)
      })
      return seen.slice(from)
    },
    adoptionFields: (one, object) => {
      const model = operator.kinds.find(({ kind, service }) => kind.kind === one.kind && service.alias === one.service)
      const { ackResourceMetadata: metadata, ...status } = object?.status ?? {}
      const values = { arn: metadata?.arn, ...status, ...object?.spec, ...one.ids } as Readonly<Record<string, unknown>>
      return (model === undefined ? [] : adoptionKeysOf(model.service, model.kind.kind)).map(
        key => [key, textOf(values[key] ?? (key.endsWith('ARN') ? metadata?.arn : undefined))] as const,
      )
    },
    stillThere: async (one, object) => {
      const answer = await answerTo(one, one.gone, object)
      if (differenceFrom(one.gone.says, answer) === undefined) throw new Error(`it is gone: ${JSON.stringify(answer)}`)
    },
    ready: (one, name, withinMs) =>
      until(async () => notReady(await get(one, name)), one.cannot?.['create'] === undefined ? withinMs : stepMs),
    remove: async (one, name, how) => {
      await kube.delete(typeOf(one), keyOf(one, name))
      if (how === 'interrupted') await interrupt()
      await until(async () => {
        const left = await get(one, name)
        return left === undefined ? undefined : `the object is still there: ${said(left)}`
      })
    },
    shows: (one, probe, object) =>
      until(async () => {
        const at = object ?? (await get(one))
        const answer = await answerTo(one, probe, at)
        const differs = differenceFrom(probe.says, answer)
        return differs === undefined ? undefined : `${probe.operation} says ${differs}; ${at === undefined ? '' : said(at)}`
      }),
    ask,
    stop: async () => {
      await end()
      await server.close()
      await Promise.all([own.close(), ours.close()])
    },
  }
}

function keyOf(one: Pick<KindCase, 'kind'>, name?: string): { readonly namespace: string; readonly name: string } {
  return { namespace: 'default', name: name ?? one.kind.toLowerCase() }
}

/** moto keeps accounts apart by a header; an AWS that knows no such header has one account. */
function inAccount(transport: Transport, place: string | undefined): Transport {
  if (place === undefined) return transport
  return {
    to: origin => {
      const exchange = transport.to(origin)
      return request => exchange({ ...request, headers: { ...request.headers, 'x-moto-account-id': place } })
    },
    close: () => transport.close(),
  }
}

/** What our operator asks of AWS. */
interface Traffic {
  /** The calls that were answered. */
  readonly seen: string[]
  underWay: number
}

function noting(transport: Transport, traffic: Traffic): Transport {
  const noted =
    (exchange: HttpExchange): HttpExchange =>
    async request => {
      traffic.underWay++
      try {
        const answer = await exchange(request)
        traffic.seen.push(nameOfCall(request))
        return answer
      } finally {
        traffic.underWay--
      }
    }
  return { to: origin => noted(transport.to(origin)), close: () => transport.close() }
}

function nameOfCall({ headers, body, method, target }: HttpRequest): string {
  const agent = String(headers['x-amz-target'] ?? '')
  const form = body instanceof Uint8Array ? /(?:^|&)Action=(\w+)/.exec(Buffer.from(body).toString())?.[1] : undefined
  return agent.split('.').at(-1) || form || `${method} ${target.split('?')[0]}`
}

function notReady(object: Resource | undefined): string | undefined {
  const ready = findCondition(object?.status?.conditions, 'Ready')
  return ready?.status === 'True' ? undefined : `not Ready: ${object === undefined ? 'absent' : said(object)}`
}

function said({ status }: Resource): string {
  return (status?.conditions ?? [])
    .map(({ type, status: is, message }) => `${type}=${is}${message === undefined || message === '' ? '' : ` (${message})`}`)
    .join(', ')
}

/**
 * `{status.keyID}` in a text stands for what the object says there, `{needed.0.ApiId}` for what AWS said of the first that was needed; with a
 * slash at its end, for what comes after the last slash.
 */
export function filled<T>(value: T, said: object | undefined): T {
  const isOfIt = (path: string): boolean => Object.hasOwn(said ?? {}, path.split('.')[0] ?? '')
  return withTexts(value, whole =>
    whole.replaceAll(/\{((?:spec|status|needed|others)[\w.]*)(\/)?\}/g, (text, path: string, last?: string) => {
      const value = isOfIt(path) ? String(valueAt(said, path)) : text
      return last === undefined ? value : (value.split('/').at(-1) ?? value)
    }),
  )
}

function withTexts<T>(value: T, change: (text: string) => string): T {
  if (typeof value === 'string') return change(value) as T
  if (Array.isArray(value)) return value.map(item => withTexts(item as unknown, change)) as T
  if (value instanceof Containing) return new Containing(withTexts(value.item, change)) as T
  if (value === null || typeof value !== 'object' || value instanceof RegExp || value instanceof Uint8Array) return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, withTexts(each as unknown, change)])) as T
}

function valueAt(object: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((at, name) => (at as Record<string, unknown> | undefined)?.[name], object)
}

/** What the answer lacks of what it is to say; texts that hold JSON are compared as such. `null`: it is not there. */
export function differenceFrom(wanted: unknown, answer: unknown, path = ''): string | undefined {
  if (wanted === null)
    return answer === undefined || answer === null ? undefined : `${path}: ${JSON.stringify(answer)}, and should not be there`
  if (Array.isArray(wanted)) {
    const items = Array.isArray(answer) ? answer : []
    const lacking = wanted.find(item => !items.some(each => differenceFrom(item, each) === undefined))
    return lacking === undefined && items.length === wanted.length ? undefined : `${path}: ${JSON.stringify(answer)}`
  }
  if (wanted instanceof Containing) {
    const items = Array.isArray(answer) ? (answer as readonly unknown[]) : []
    return items.some(each => differenceFrom(wanted.item, each) === undefined) ? undefined : `${path}: ${JSON.stringify(answer)}`
  }
  if (wanted instanceof RegExp)
    return wanted.test(answer instanceof Date ? answer.toISOString() : typeof answer === 'string' ? answer : '')
      ? undefined
      : `${path}: ${JSON.stringify(answer)}`
  if (typeof wanted === 'object') {
    const held = typeof answer === 'string' ? jsonIn(answer) : answer
    const entries = Object.entries(wanted as object)
    return entries
      .map(([key, each]) => differenceFrom(each, (held as Record<string, unknown> | undefined)?.[key], `${path}.${key}`))
      .find(each => each !== undefined)
  }
  return wanted === answer ? undefined : `${path}: ${JSON.stringify(answer)}`
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return text
  }
}
