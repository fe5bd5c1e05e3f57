import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import { test } from 'node:test'
import { Connections } from './connections.ts'

class Connection extends EventEmitter {
  readonly remoteAddress: string
  isOpen = true

  constructor(remoteAddress: string) {
    super()
    this.remoteAddress = remoteAddress
  }

  destroy(): void {
    this.isOpen = false
    this.emit('close')
  }
}

function connect(connections: Connections, address: string, count = 1): readonly Connection[] {
  return Array.from({ length: count }, () => {
    const connection = new Connection(address)
    connections.admit(connection)
    return connection
  })
}

const openOf = (all: readonly Connection[]): number => all.filter(({ isOpen }) => isOpen).length

test('a peer has as many connections as its limit says and not one more, under either name of its address', () => {
  const connections = new Connections({ connectionsMax: 10, connectionsPerPeerMax: 3 })
  const [first, ...rest] = connect(connections, '10.0.0.1', 3)
  const others = connect(connections, '10.0.0.2', 3)
  assert.equal(openOf(connect(connections, '::ffff:10.0.0.1')), 0)
  first?.destroy()
  assert.deepEqual([openOf(connect(connections, '::ffff:10.0.0.1')), openOf(rest), openOf(others)], [1, 2, 3])
})

test('a full listener takes a newcomer in place of the oldest connection of whoever has the most', () => {
  const connections = new Connections({ connectionsMax: 5, connectionsPerPeerMax: 5 })
  const crowd = connect(connections, '10.0.0.1', 5)
  const others = connect(connections, '10.0.0.2', 2)
  assert.deepEqual(
    crowd.map(({ isOpen }) => isOpen),
    [false, false, true, true, true],
  )
  assert.equal(openOf(others), 2)
})

test('a newcomer takes no place of a peer that would then have less than itself', () => {
  const connections = new Connections({ connectionsMax: 4, connectionsPerPeerMax: 4 })
  const [one, two] = [connect(connections, '10.0.0.1', 2), connect(connections, '10.0.0.2', 2)]
  assert.equal(openOf(connect(connections, '10.0.0.2')), 0)
  assert.deepEqual([openOf(one), openOf(two)], [2, 2])
})

test('what has closed counts no longer', () => {
  const connections = new Connections({ connectionsMax: 2, connectionsPerPeerMax: 2 })
  for (let again = 0; again < 10; again++) {
    const all = connect(connections, '10.0.0.1', 2)
    assert.equal(openOf(all), 2)
    for (const one of all) one.destroy()
  }
})
