import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemNet } from '#base'
import { createAws } from './create-aws.ts'

async function control(): Promise<{
  get(path: string, host?: string): Promise<{ status: number; text: string }>
  [Symbol.asyncDispose](): Promise<void>
  aws: ReturnType<typeof createAws>
}> {
  const aws = createAws()
  const { host, port } = await aws.listenControl()
  const client = systemNet.dial({ origin: `http://${host}:${port}` })
  return {
    aws,
    async get(path, name = `${host}:${port}`) {
      const { status, body } = await client.exchange({ method: 'GET', target: path, headers: { host: name }, body: null })
      const chunks: Uint8Array[] = []
      for await (const chunk of body instanceof Uint8Array ? [body] : (body ?? [])) chunks.push(chunk)
      return { status, text: Buffer.concat(chunks).toString('utf8') }
    },
    async [Symbol.asyncDispose]() {
      await client.close()
      await aws.close()
    },
  }
}

const refused = { method: 'GET', target: '/?Action=ListRoles&Version=2010-05-08', headers: { host: '127.0.0.1' }, body: null }

test('the control port tells what was called and why it was refused, as JSON and as a page', async () => {
  await using world = await control()
  await world.aws.handle(refused)
  const requestId = world.aws.calls.last()?.requestId ?? ''
  const calls = JSON.parse((await world.get('/_emulator/calls?service=iam')).text) as { operation: string; result: string }[]
  assert.deepEqual(
    calls.map(call => [call.operation, call.result]),
    [['ListRoles', 'MissingAuthenticationToken']],
  )
  const explained = JSON.parse((await world.get(`/_emulator/explain?request=${requestId}`)).text) as {
    decision: string
    steps: object[]
  }
  assert.equal(explained.decision, 'denied')
  assert.deepEqual(explained.steps, [
    { link: 'answer', holds: false, detail: 'MissingAuthenticationToken: Request is missing Authentication Token' },
  ])
  assert.match((await world.get('/')).text, new RegExp(`<a href="/_emulator/explain\\?request=${requestId}">`))
  const state = JSON.parse((await world.get('/_emulator/state')).text) as { profile: string; resources: unknown[] }
  assert.deepEqual([state.profile, state.resources], ['instant', []])
})

test('the control port answers neither strangers’ names nor unknown paths, and knows what it does not remember', async () => {
  await using world = await control()
  assert.equal((await world.get('/_emulator/calls', 'evil.example')).status, 403)
  assert.equal((await world.get('/_emulator/none')).status, 404)
  assert.equal((await world.get('/_emulator/explain?request=x')).status, 404)
  const answer = await world.get(
    '/_emulator/can-pod?issuer=https://x.example&subject=s&action=s3:GetObject&roleArn=arn:aws:iam::123456789012:role/r',
  )
  assert.equal((JSON.parse(answer.text) as { decision: string }).decision, 'denied')
})

test('the hostile profile loses, refuses and throttles some calls, the same ones for the same seed', async () => {
  const run = async (): Promise<readonly string[]> => {
    const aws = createAws({ profile: 'hostile', seed: 'h', signatures: 'parse' })
    const outcomes: string[] = []
    for (let index = 0; index < 400; index++) {
      const call = {
        ...refused,
        headers: {
          ...refused.headers,
          authorization: `AWS4-HMAC-SHA256 Credential=x/20260101/us-east-1/iam/aws4_request, SignedHeaders=host, Signature=0`,
          'x-amz-date': '20260101T000000Z',
        },
      }
      outcomes.push(
        await aws.handle(call).then(
          answer => String(answer.status),
          (error: Error) => error.name,
        ),
      )
    }
    return outcomes
  }
  const first = await run()
  assert.deepEqual(await run(), first)
  const lost = first.filter(outcome => outcome !== '200').length
  assert.ok(lost >= 1 && lost <= 30, `${lost} of 400`)
})
