import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemNet } from '#base'
import { createAws } from '#emulator'
import { isAwsHost, openGateway } from './index.ts'

test('a name of AWS leads to the emulator with its own certificate, and every other name nowhere', async () => {
  const aws = createAws()
  const { port } = await aws.listen({ tls: true })
  const gateway = await openGateway(host => (isAwsHost(host) ? port : undefined))
  const ask = async (host: string): Promise<number> => {
    const http = systemNet.dial({ origin: `https://${host}`, proxyUrl: gateway.url, tls: { ca: aws.ca } })
    const target = '/?Action=GetCallerIdentity&Version=2011-06-15'
    try {
      return (await http.exchange({ method: 'GET', target, headers: {}, body: null })).status
    } finally {
      await http.close()
    }
  }
  try {
    assert.equal(await ask('sts.us-east-1.amazonaws.com'), 403)
    assert.deepEqual([...gateway.refused], [])
    await assert.rejects(ask('example.com'), { code: 'unreachable' })
    assert.deepEqual([...gateway.refused], ['example.com'])
  } finally {
    await gateway.close()
    await aws.close()
  }
})
