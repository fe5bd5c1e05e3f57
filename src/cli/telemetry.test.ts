import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLogTo, memoryFiles, systemClock, systemNet, systemRandom } from '#base'
import { Metrics } from '#runtime'
import { openTelemetry } from './telemetry.ts'

/** A collector on a socket, and a process's telemetry that is told of it by the environment. */
async function open(env: Readonly<Record<string, string>>, status = 200) {
  const heard: string[] = []
  const listener = await systemNet.listen({}, async ({ target, body }) => {
    const chunks: Uint8Array[] = []
    for await (const chunk of body instanceof Uint8Array ? [body] : (body ?? [])) chunks.push(chunk)
    const text = Buffer.concat(chunks).toString('latin1')
    heard.push(`${target} ${text}`)
    return { status, headers: {}, body: null }
  })
  const plain: string[] = []
  const metrics = new Metrics()
  metrics.counter('vouch_things_total', 'Things.').add()
  const telemetry = await openTelemetry({
    seams: {
      clock: systemClock,
      random: systemRandom,
      net: systemNet,
      files: memoryFiles(),
      env: { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${listener.port}`, ...env },
    },
    plain: createLogTo({ clock: systemClock }, (level, message) => void plain.push(`${level} ${message}`)),
    level: 'info',
    sendsLogs: true,
    resource: { 'service.name': 'vouch' },
    program: { name: 'vouch', version: '1' },
    metrics,
  })
  const end = async (): Promise<void> => {
    await telemetry.close()
    await listener.close()
  }
  return { telemetry, heard, plain, end }
}

test('what was logged, counted and traced is with the collector when the process ends [10.5]', async () => {
  const { telemetry, heard, plain, end } = await open({ OTEL_METRICS_EXPORTER: 'otlp', OTEL_TRACES_EXPORTER: 'otlp' })
  telemetry.log.info('hello there', { a: 'b' })
  telemetry.tracer?.start('reconcile', {}).end()
  await end()
  const at = (path: string): string => heard.find(text => text.startsWith(`/v1/${path} `)) ?? ''
  assert.match(at('logs'), /service\.name.*vouch.*hello there/s)
  assert.match(at('metrics'), /vouch_things_total/)
  assert.match(at('traces'), /reconcile/)
  assert.deepEqual([heard.length, plain], [3, []])
})

test('metrics and traces go nowhere unless they are asked for', async () => {
  const { telemetry, heard, end } = await open({})
  assert.equal(telemetry.tracer, undefined)
  await end()
  assert.deepEqual(heard, [])
})

test('lines that no collector takes are written as they would be without one', async () => {
  const { telemetry, plain, end } = await open({}, 400)
  telemetry.log.error('bad news')
  await end()
  assert.deepEqual(plain, ['warn the collector does not take log lines, which follow here', 'error bad news'])
})

test('who asks for gRPC is told what is spoken, and loses no line', async () => {
  const { telemetry, plain, heard, end } = await open({ OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' })
  telemetry.log.info('hello')
  await end()
  assert.match(plain[0] ?? '', /^warn OTLP is spoken over HTTP only/)
  assert.deepEqual([plain[1], heard], ['info hello', []])
})
