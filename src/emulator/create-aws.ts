// The emulator as its users hold it: `createAws`.
import { type HttpListener, type ListenOptions, ManualClock, type MessageListener, systemNet } from '#base'
import type { Aws, AwsOptions } from './aws.ts'
import { canPod } from './can-pod.ts'
import { listenControl } from './control.ts'
import { adminKey } from './core/caller/admin-keys.ts'
import { Emulator } from './core/emulator.ts'
import { ArmedFaults } from './core/faults.ts'
import { listenerNames } from './core/listener-names.ts'
import { profileFaults, settingsOf } from './core/settings.ts'
import { CallThrottle } from './core/throttle.ts'
import { zonesDns } from './dns/zones-dns.ts'
import type { ServicePlace } from './service.ts'
import { allServices } from './services.ts'
import { AwsState } from './state/aws-state.ts'
import { hashRandom } from './state/hash-random.ts'

/** AWS endpoints in one process. Nothing is opened until `listen`; `data` takes up a snapshot. */
export function createAws(options: AwsOptions & { readonly data?: string } = {}): Aws {
  const saved = options.data === undefined ? undefined : AwsState.parse(options.data)
  const settings = settingsOf(options, saved?.seed)
  const state = saved?.resume(settings.random) ?? new AwsState(settings.random)
  const faults = new ArmedFaults(settings.random, [...(options.faults ?? []), ...profileFaults(settings.profile)])
  const throttle = new CallThrottle(settings.knobs.throttling)
  return awsOf(
    new Emulator({ settings, state, faults, throttle, hosts: new Map(), pods: new Map(), services: allServices }),
    options,
  )
}

function awsOf(core: Emulator, options: AwsOptions): Aws {
  const { settings } = core
  const { dns, listen, listenControl, close } = listening(core, options)
  return {
    handle: request => core.serve(request),
    dns,
    get ca() {
      return core.authority.certificate
    },
    listen,
    listenControl,
    adminCredentials: (account = settings.accounts[0] as string, partition = 'aws') =>
      adminKey(settings.seed, partition, account),
    registerHost: (host, handler) => {
      core.hosts.set(host, handler)
    },
    bindCluster: ({ podExists, account, region, ...binding }) => {
      const place = placeOf(core, { ...(account !== undefined && { account }), ...(region !== undefined && { region }) })
      const arn = core.control('eks', 'bind', binding, place) as string
      if (podExists !== undefined) core.pods.set(arn, podExists)
    },
    control: (service, name, args, place = {}) => core.control(service, name, args, placeOf(core, place)),
    calls: {
      all: filter => core.calls.all(filter),
      count: filter => core.calls.count(filter),
      last: filter => core.calls.last(filter),
      clear: () => core.calls.clear(),
    },
    explain: requestId => core.calls.explanation(requestId),
    canPod: question => canPod(core, question),
    faults: { add: rule => core.faults.add(rule), clear: () => core.faults.clear() },
    snapshot: () => {
      core.catchUp()
      return core.state.render(settings.seed)
    },
    stored: service => {
      core.catchUp()
      return core.state.stored(service)
    },
    fork: (changes = {}) => awsOf(forkOf(core, { ...options, ...changes }), { ...options, ...changes }),
    settle: () => settle(core),
    nextDeadline: () => core.state.nextDeadline(),
    unimplemented: () => core.calls.unimplemented(),
    issuerFetches: () => core.issuers.records(),
    close,
  }
}

/** What is open, so that it can be closed. */
function listening(core: Emulator, options: AwsOptions): Pick<Aws, 'dns' | 'listen' | 'listenControl' | 'close'> {
  const listeners = new Set<HttpListener | MessageListener>()
  const opened = async <L extends HttpListener | MessageListener>(opening: Promise<L>): Promise<L> => {
    const listener = await opening
    listeners.add(listener)
    return listener
  }
  const net = core.settings.net ?? systemNet
  const dns = zonesDns(partition => core.ports(partition).dns, options.messages)
  return {
    dns: { ...dns, listen: where => opened(dns.listen(where)) },
    listen: (where = {}) => opened(net.listen(listenOptions(core, where), request => core.serve(request))),
    listenControl: (where = {}) => opened(listenControl(core, where)),
    close: async () => {
      await Promise.all([...listeners].map(listener => listener.close()))
      listeners.clear()
    },
  }
}

function placeOf(core: Emulator, place: Partial<ServicePlace>): ServicePlace {
  const account = core.settings.accounts[0] as string
  return { partition: 'aws', account, region: core.settings.knobs.defaultRegion, ...place }
}

function forkOf(core: Emulator, options: AwsOptions): Emulator {
  // The seed also seals keys and page tokens that clients hold, so only what is drawn from now on takes the new one.
  const settings = { ...core.settings, clock: options.clock ?? core.settings.clock }
  const random = options.seed === undefined ? core.state.random : hashRandom(String(options.seed))
  const faults = new ArmedFaults(random, core.faults.rules())
  const throttle = new CallThrottle(settings.knobs.throttling, core.throttle)
  return new Emulator({
    settings,
    state: core.state.fork(random),
    faults,
    throttle,
    hosts: new Map(core.hosts),
    pods: new Map(core.pods),
    services: [...core.services()],
  })
}

function listenOptions(core: Emulator, { host, port, tls }: { host?: string; port?: number; tls?: boolean }): ListenOptions {
  const regions = [...new Set([core.settings.knobs.defaultRegion, 'us-east-1', 'eu-west-1', 'eu-central-1'])]
  const where = { host: host ?? '127.0.0.1', port: port ?? 0 }
  return tls ? { ...where, tls: core.authority.serverCertificate(listenerNames(regions)) } : where
}

const settleStepsMax = 100_000

async function settle(core: Emulator): Promise<void> {
  const { clock } = core.settings
  for (let step = 0; step < settleStepsMax; step++) {
    core.catchUp()
    const next = core.state.nextDeadline(timer => timer.class === 'progress')
    if (next === undefined) return
    const waitMs = Math.max(0, next - clock.now())
    await (clock instanceof ManualClock ? clock.advance(waitMs) : clock.sleep(waitMs))
  }
  throw new Error('the emulator does not come to rest')
}
