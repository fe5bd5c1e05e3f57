// Answers that are no error documents: a proxy's page, or the answer to a HEAD, which has no body.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { serviceModel } from '../../services/service-models.ts'
import { openProtocol } from './protocols.ts'

const model = serviceModel('s3')
const protocol = await openProtocol(model)

async function errorOf(statusCode: number, headers: Record<string, string> = {}, body = ''): Promise<unknown> {
  const operation = model.operations['HeadBucket'] ?? assert.fail()
  const answer = { statusCode, headers, body: Buffer.from(body) }
  const read = await protocol.decode(protocol.tuples.operation(operation), answer)
  return 'error' in read ? read.error : undefined
}

for (const [status, code] of [
  [301, 'PermanentRedirect'],
  [400, 'BadRequest'],
  [403, 'Forbidden'],
  [404, 'NotFound'],
  [405, 'Http405'],
  [300, 'Http300'],
] as const)
  test(`an answer of status ${status} without a document is ${code}`, async () => {
    const { code: found, httpStatus, message } = (await errorOf(status)) as Record<string, unknown>
    assert.deepEqual([found, httpStatus], [code, status])
    assert.ok(message === '' || message === `HTTP ${status} without an error document`, String(message))
  })

const requestIds: readonly (readonly [headers: Record<string, string>, id: string | undefined])[] = [
  [{}, undefined],
  [{ 'x-amzn-requestid': 'a' }, 'a'],
  [{ 'x-amz-request-id': 'b' }, 'b'],
  [{ 'x-amzn-request-id': 'c' }, 'c'],
  [{ 'x-amzn-request-id': 'c', 'x-amz-request-id': 'b' }, 'b'],
  [{ 'x-amzn-request-id': 'c', 'x-amz-request-id': 'b', 'x-amzn-requestid': 'a' }, 'a'],
]

for (const [headers, id] of requestIds)
  test(`the request id of ${JSON.stringify(headers)} is ${id}`, async () =>
    assert.equal(((await errorOf(404, headers)) as { requestId?: string }).requestId, id))
