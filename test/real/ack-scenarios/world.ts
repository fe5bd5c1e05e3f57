// Objects and an operator for scenarios that are programs of another language: what they do to objects comes over a port of this machine.
import { createApiServer } from '#apiserver'
import { AwsClients, netTransport, staticCredentials, type Transport } from '#aws/client'
import { type HttpExchange, type HttpRequest, type HttpResponse, silentLog, systemClock, systemNet, systemRandom } from '#base'
import { customResourceDefinitions, type KubeObject, type ResourceType } from '#kube'
import { createKubeClient, type KubeClient, KubeError } from '#kube/client'
import { createResourcesOperator, type Resource, shippedService } from '#operators/resources'
import { createManager } from '#runtime'
import { provenService } from '../proven/services.ts'

export interface ScenarioWorld {
  /** Where scenarios send what they do. */
  readonly url: string
  stop(): Promise<void>
}

interface Called {
  readonly svc: string
  readonly op: string
  readonly body: string
}

interface Asked {
  readonly what: 'create' | 'patch' | 'get' | 'delete' | 'trace' | 'calls'
  readonly group: string
  readonly kind: string
  readonly name: string
  readonly spec?: object
  readonly annotations?: object
}

export async function scenarioWorld(cloud: string, onCall: (line: string) => void): Promise<ScenarioWorld> {
  const sqs = provenService('sqs')
  const calls: Called[] = []
  let counted = 0
  const transport = netTransport(systemNet)
  const aws = new AwsClients({
    credentials: staticCredentials({ accessKeyId: 'test', secretAccessKey: 'test' }),
    transport: noting(transport, call => {
      counted++
      calls.push(call)
      onCall(`${call.op} ${call.body}\n`)
    }),
    clock: systemClock,
    random: systemRandom,
    endpointOf: () => cloud,
  })
  const server = createApiServer()
  const kube = createKubeClient({ clock: systemClock, address: 'embedded', exchange: server.as() })
  const operator = createResourcesOperator({
    services: ['iam', 's3', sqs.service],
    aws,
    home: { account: '123456789012', partition: 'aws', region: 'us-east-1' },
    nowMs: () => systemClock.now(),
    random: systemRandom,
  })
  for (const crd of [...shippedService('iam').crds, ...shippedService('s3').crds, ...sqs.crds])
    await kube.patch(customResourceDefinitions, { namespace: '', name: crd.metadata.name ?? '' }, 'apply', crd, {
      fieldManager: 'test',
      force: true,
    })
  const stop = new AbortController()
  const manager = createManager({
    client: kube,
    seams: { clock: systemClock, random: systemRandom, log: silentLog },
    controllers: operator.controllers,
    companions: operator.companions,
    identity: 'scenarios',
  })
  const run = manager.run(stop.signal)
  const typeOf = ({ group, kind }: Asked): ResourceType => {
    const found = operator.kinds.find(each => each.kind.kind === kind && each.service.alias === group)
    if (found === undefined) throw new Error(`no kind ${group} ${kind}`)
    return found.type
  }
  const answer = async (asked: Asked): Promise<unknown> => {
    if (asked.what === 'calls') return calls.splice(0)
    const type = typeOf(asked)
    if (asked.what === 'trace') {
      const found = await kube.find<Resource>(type, { namespace: 'default', name: asked.name })
      return [found?.metadata.resourceVersion, counted, found === undefined || (found.status?.conditions ?? []).length > 0]
    }
    return act(kube, type, asked)
  }
  const listener = await systemNet.listen({ host: '127.0.0.1', port: 0 }, async request => ({
    status: 200,
    headers: { 'content-type': 'application/json' },
    body: new TextEncoder().encode(JSON.stringify((await answer(JSON.parse(textOf(request)) as Asked)) ?? null)),
  }))
  return {
    url: `http://127.0.0.1:${listener.port}`,
    stop: async () => {
      stop.abort(new Error('the scenarios end'))
      await run
      await Promise.all([listener.close(), server.close(), transport.close()])
    },
  }
}

/** What a refusal says, as the recorded programs told it. */
async function act(kube: KubeClient, type: ResourceType, { what, kind, name, spec, annotations }: Asked): Promise<unknown> {
  const key = { namespace: 'default', name }
  try {
    if (what === 'get') return await kube.find<Resource>(type, key)
    if (what === 'delete') await kube.delete(type, key)
    else if (what === 'patch') await kube.patch(type, key, 'merge', { spec })
    else {
      const metadata = { ...key, annotations }
      const object = { apiVersion: `${type.group}/${type.version}`, kind, metadata, ...(spec === null ? {} : { spec }) }
      await kube.create(type, object as KubeObject)
    }
    return null
  } catch (error) {
    if (error instanceof KubeError) return `${error.httpStatus} ${error.status?.message ?? error.message}`
    throw error
  }
}

function noting(transport: Transport, onCall: (call: Called) => void): Transport {
  const noted =
    (exchange: HttpExchange): HttpExchange =>
    (request): Promise<HttpResponse> => {
      const body = textOf(request)
      const target =
        String(request.headers['x-amz-target'] ?? '')
          .split('.')
          .at(-1) ?? ''
      const form = /(?:^|&)Action=(\w+)/.exec(body)?.[1]
      const svc = target !== '' ? 'sqs' : form === undefined ? 's3' : 'iam'
      onCall({ svc, op: form ?? (target === '' ? `${request.method} ${request.target}` : target), body })
      return exchange(request)
    }
  return { to: origin => noted(transport.to(origin)), close: () => transport.close() }
}

function textOf({ body }: HttpRequest): string {
  return body instanceof Uint8Array ? Buffer.from(body).toString('utf8') : ''
}
