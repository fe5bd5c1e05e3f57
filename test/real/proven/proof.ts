// What is proven of a kind, against an AWS that is not ours: an object is made, each field that can be changed is changed, somebody else
// changes what we made, and it goes. After each step AWS is asked by a call of the test's own; a step without such an answer proves nothing.

import { createApiServer } from '#apiserver'
import { type ServiceModel, type ShippedService, serviceModel } from '#aws'
import { type AwsClients, AwsClients as Clients, netTransport, staticCredentials, type Transport } from '#aws/client'
import { type HttpExchange, silentLog, systemClock, systemNet, systemRandom } from '#base'
import { customResourceDefinitions, findCondition, type KubeObject, type ResourceType, type StoredObject } from '#kube'
import { createKubeClient } from '#kube/client'
import {
  adoptionKeysOf,
  createResourcesOperator,
  type Resource,
  type ResourcesOperator,
  shippedService,
} from '#operators/resources'
import { createManager } from '#runtime'
import { Containing, type KindCase, type Probe } from './case.ts'
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
  /** Of services that make what kinds need, by the names that cases give them. */
  readonly models?: ReadonlyMap<string, ServiceModel>
}

/** Without a call for so long, a new process has looked at everything. */
const quietMs = 700
/** Time that AWS and our operator have between them for one step. */
const stepMs = 25_000

export async function prove({ url, services, models = new Map() }: ProofWorld, asked: KindCase): Promise<Proof> {
  const seen: string[] = []
  let one = asked
  const world = await start({ url, services, models }, seen)
  const steps: Step[] = []
  const step = async (name: string, carryOut: () => Promise<void>): Promise<boolean> => {
    const from = seen.length
    try {
      await carryOut()
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
    const made = await step('create', async () => {
      await world.create(one, one.spec)
      await world.ready(one)
      await world.shows(one, one.made)
    })
    if (made) {
      for (const { name, spec, probe, drift } of one.changes ?? []) {
        const changed = await step(name, async () => {
          await world.patch(one, { spec })
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
      await world.remove(one, (await world.get(one, 'again')) === undefined ? undefined : 'again')
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
    const calls = await world.restart()
    const writes = calls.filter(call => !/^(?:Get|List|Describe|GET |HEAD )/.test(call))
    if (writes.length > 0) throw new Error(`a new process wrote ${writes.join(' ')}`)
    await world.ready(one)
  })
  const held = await world.get(one)
  const keys = world.adoptionFields(one, held)
  if (keys.every(([key]) => held?.spec?.[key] !== undefined))
    await step('read-only', async () => {
      await world.create(one, held?.spec ?? {}, { name: 'look', annotations: { 'services.k8s.aws/read-only': 'true' } })
      await world.ready(one, 'look')
      assertSame(arnOf(await world.get(one, 'look')), arnOf(held))
      await world.remove(one, 'look')
      await world.stillThere(one, held)
    })
  const isLetGo = await step('retain', async () => {
    await world.patch(one, { metadata: { annotations: { 'services.k8s.aws/deletion-policy': 'retain' } } })
    await world.remove(one)
    await world.stillThere(one, held)
  })
  if (!isLetGo) return
  await step('adoption', async () => {
    const fields = JSON.stringify(Object.fromEntries(keys))
    const annotations = { 'services.k8s.aws/adoption-policy': 'adopt', 'services.k8s.aws/adoption-fields': fields }
    await world.create(one, undefined, { name: 'again', annotations })
    await world.ready(one, 'again')
    assertSame(arnOf(await world.get(one, 'again')), arnOf(held))
  })
}

function arnOf(object: Resource | undefined): string | undefined {
  return object?.status?.ackResourceMetadata?.arn
}

function assertSame(now: unknown, before: unknown): void {
  if (now !== before) throw new Error(`${String(now)} is not ${String(before)}`)
}

interface World {
  create(
    one: KindCase,
    spec: object | undefined,
    more?: { readonly name: string; readonly annotations: Readonly<Record<string, string>> },
  ): Promise<void>
  patch(one: KindCase, body: object): Promise<void>
  get(one: KindCase, name?: string): Promise<Resource | undefined>
  ready(one: KindCase, name?: string): Promise<void>
  remove(one: KindCase, name?: string): Promise<void>
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

async function start({ url, services, models = new Map() }: ProofWorld, seen: string[]): Promise<World> {
  const [own, ours] = [netTransport(systemNet), netTransport(systemNet)]
  const clientsOver = (transport: Transport): AwsClients =>
    new Clients({
      credentials: staticCredentials({ accessKeyId: 'test', secretAccessKey: 'test' }),
      transport,
      clock: systemClock,
      random: systemRandom,
      endpointOf: () => url,
    })
  const [mine, theirs] = [clientsOver(own), clientsOver(noting(ours, seen))]
  const server = createApiServer()
  const kube = createKubeClient({ clock: systemClock, address: 'embedded', exchange: server.as() })
  const made = (): ResourcesOperator =>
    createResourcesOperator({
      services: ['iam', ...services.map(({ service }) => service)],
      aws: theirs,
      home: { account, partition: 'aws', region },
      nowMs: () => systemClock.now(),
      secrets: ['*'],
      random: systemRandom,
    })
  const operator = made()
  for (const crd of [...shippedService('iam').crds, ...services.flatMap(({ crds }) => crds)])
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
  const get = (one: KindCase, name?: string): Promise<Resource | undefined> => kube.find<Resource>(typeOf(one), keyOf(one, name))
  const answerTo = async (one: KindCase, probe: Probe, at: Resource | undefined): Promise<unknown> => {
    try {
      return await ask(probe.service ?? one.service, probe.operation, filled(probe.input, at))
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
        ...(spec === undefined ? {} : { spec }),
      } as KubeObject)
    },
    patch: async (one, body) => void (await kube.patch<StoredObject>(typeOf(one), keyOf(one), 'merge', body)),
    get,
    restart: async () => {
      await end()
      const from = seen.length
      end = begin()
      await until(() => Promise.resolve(seen.length > from ? undefined : 'the new process calls nobody'))
      let counted = 0
      await until(async () => {
        counted = seen.length
        await systemClock.sleep(quietMs)
        return counted === seen.length ? undefined : `the new process goes on calling ${seen.slice(-8).join()}`
      })
      return seen.slice(from)
    },
    adoptionFields: (one, object) => {
      const model = operator.kinds.find(({ kind, service }) => kind.kind === one.kind && service.alias === one.service)
      const { ackResourceMetadata: metadata, ...status } = object?.status ?? {}
      const values = { arn: metadata?.arn, ...status, ...object?.spec } as Readonly<Record<string, unknown>>
      return (model === undefined ? [] : adoptionKeysOf(model.service, model.kind.kind)).map(
        key => [key, String(values[key])] as const,
      )
    },
    stillThere: async (one, object) => {
      const answer = await answerTo(one, one.gone, object)
      if (differenceFrom(one.gone.says, answer) === undefined) throw new Error(`it is gone: ${JSON.stringify(answer)}`)
    },
    ready: (one, name) => until(async () => notReady(await get(one, name))),
    remove: async (one, name) => {
      await kube.delete(typeOf(one), keyOf(one, name))
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

function keyOf(one: KindCase, name?: string): { readonly namespace: string; readonly name: string } {
  return { namespace: 'default', name: name ?? one.kind.toLowerCase() }
}

function noting(transport: Transport, seen: string[]): Transport {
  const noted =
    (exchange: HttpExchange): HttpExchange =>
    async request => {
      const agent = String(request.headers['x-amz-target'] ?? '')
      const form =
        request.body instanceof Uint8Array ? /(?:^|&)Action=(\w+)/.exec(Buffer.from(request.body).toString())?.[1] : undefined
      seen.push(agent.split('.').at(-1) || form || `${request.method} ${request.target.split('?')[0]}`)
      return exchange(request)
    }
  return { to: origin => noted(transport.to(origin)), close: () => transport.close() }
}

function notReady(object: Resource | undefined): string | undefined {
  const ready = findCondition(object?.status?.conditions, 'Ready')
  const advisory = findCondition(object?.status?.conditions, 'ACK.Advisory')
  if (advisory?.reason === 'PersistentDiff') return advisory.message
  return ready?.status === 'True' ? undefined : `not Ready: ${object === undefined ? 'absent' : said(object)}`
}

function said({ status }: Resource): string {
  return (status?.conditions ?? [])
    .map(({ type, status: is, message }) => `${type}=${is}${message === undefined || message === '' ? '' : ` (${message})`}`)
    .join(', ')
}

async function until(wrong: () => Promise<string | undefined>): Promise<void> {
  const endMs = systemClock.monotonicMs() + stepMs
  for (;;) {
    const what = await wrong()
    if (what === undefined) return
    if (systemClock.monotonicMs() > endMs) throw new Error(what)
    await systemClock.sleep(100)
  }
}

/** `{status.keyID}` in a text stands for what the object says there, `{needed.0.ApiId}` for what AWS said of the first that was needed. */
export function filled<T>(value: T, said: object | undefined): T {
  const isOfIt = (path: string): boolean => Object.hasOwn(said ?? {}, path.split('.')[0] ?? '')
  if (typeof value === 'string')
    return value.replaceAll(/\{((?:spec|status|needed)[\w.]*)\}/g, (text, path: string) =>
      isOfIt(path) ? String(valueAt(said, path)) : text,
    ) as T
  if (Array.isArray(value)) return value.map(item => filled(item as unknown, said)) as T
  if (value instanceof Containing) return new Containing(filled(value.item, said)) as T
  if (value === null || typeof value !== 'object' || value instanceof RegExp || value instanceof Uint8Array) return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, filled(each as unknown, said)])) as T
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
