import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { HttpListener, ListenOptions } from './http.ts'
import { listenAnywhere } from './listen-anywhere.ts'

async function asked(host: string, code?: string): Promise<readonly string[]> {
  const hosts: string[] = []
  const listen = async (options: ListenOptions): Promise<HttpListener> => {
    hosts.push(options.host ?? 'none')
    if (options.host === '::' && code !== undefined) throw Object.assign(new Error(code), { code })
    return {} as HttpListener
  }
  await listenAnywhere({ listen }, { host, port: 0 } as ListenOptions, async () => ({ status: 200, headers: {}, body: null }))
  return hosts
}

test('an empty host is every address, of one family where there is only one', async () => {
  assert.deepEqual(await asked(''), ['::'])
  assert.deepEqual(await asked('', 'EAFNOSUPPORT'), ['::', '0.0.0.0'])
  assert.deepEqual(await asked('', 'EADDRNOTAVAIL'), ['::', '0.0.0.0'])
  await assert.rejects(asked('', 'EADDRINUSE'), /EADDRINUSE/)
})

test('an address that was named is the only one', async () => assert.deepEqual(await asked('127.0.0.1'), ['127.0.0.1']))
