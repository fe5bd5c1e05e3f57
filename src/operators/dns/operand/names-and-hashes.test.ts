// What stands in a Deployment and is contract to the letter, because another name or another hash restarts pods.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { containerName, containerNames } from './container-name.ts'
import { contentHash } from './content-hash.ts'

test('a container is named by a code of its zone, and no name comes twice [#53]', () => {
  assert.equal(containerName(''), 'external-dns-n56fh6dh59ch5fcq')
  assert.equal(containerName('Z3URY6TWQ91KXX'), 'external-dns-n649h55fh54ch697q')
  assert.deepEqual(containerNames(['', 'azure-private-dns']), ['external-dns-n56fh6dh59ch5fcq', 'external-dns-n54fh5b6h8fh5b8q'])
  assert.deepEqual(containerNames(['', '', '']).slice(1), ['external-dns-n56fh6dh59ch5fcq-2', 'external-dns-n56fh6dh59ch5fcq-3'])
})

test('the hash of a Secret is of its keys in byte order and of their values, and of nothing else', () => {
  assert.equal(contentHash({}), 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855')
  const [a, b] = [Buffer.from('1'), Buffer.from('2')]
  assert.equal(contentHash({ a, b }), contentHash({ b, a }))
  assert.equal(contentHash({ a, b }), '85337816d263d362acb23a4255a636191075c2a90c47f2ee6db3362f7df11203')
  assert.notEqual(contentHash({ a }), contentHash({ b: a }))
})
