// Which mount a container gets, and what is said where it gets none.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PatchObject } from '../patch.ts'
import type { VolumeLayout } from './api.ts'
import { mountOperations, mountWish } from './mount.ts'

const classicPath = '/var/run/secrets/azure/tokens'
const reservedPath = '/var/run/secrets/azure/wi'
const ours = 'azure-identity-token'
const taken = 'something else is mounted where the token belongs: the container is given the identity and no token for it'
const elsewhere = 'the token is mounted at another path than the variables name'
const mount = (name: string, mountPath: string, more: PatchObject = {}): PatchObject => ({ name, mountPath, ...more })
const foreign = mount('x', '/x')

interface Row {
  readonly what: string
  readonly layout?: VolumeLayout
  readonly volume?: string
  readonly mounts?: readonly PatchObject[]
  readonly devices?: readonly PatchObject[]
  /** Operation and path. */
  readonly does?: readonly [string, string]
  readonly warned?: string
}

const rows: readonly Row[] = [
  { what: 'no mounts', does: ['add', '/c/volumeMounts'] },
  { what: 'mounts of others', mounts: [foreign], does: ['add', '/c/volumeMounts/-'] },
  { what: 'our mount where it belongs', mounts: [foreign, mount(ours, classicPath)] },
  { what: 'our mount at another path', mounts: [foreign, mount(ours, '/own')], warned: elsewhere },
  { what: 'another volume at the path', mounts: [foreign, mount('mine', classicPath)], warned: taken },
  {
    what: 'another volume at the path with a slash behind',
    mounts: [mount('mine', `${classicPath}/`)],
    does: ['add', '/c/volumeMounts/-'],
  },
  {
    what: 'the holder of the token where it belongs, as we mount it',
    volume: 'token',
    mounts: [mount('token', classicPath, { readOnly: true })],
  },
  {
    what: 'the holder of the token where it belongs, otherwise',
    volume: 'token',
    mounts: [foreign, mount('token', classicPath)],
  },
  {
    what: 'the holder of the token at another path',
    volume: 'token',
    mounts: [mount('token', '/own')],
    does: ['add', '/c/volumeMounts/-'],
  },
  {
    what: 'the holder of the token at another path, and somebody at the path',
    volume: 'token',
    mounts: [mount('token', '/own'), mount('mine', classicPath)],
    warned: taken,
  },
  {
    what: 'a device at the path',
    devices: [
      { name: 'x', devicePath: '/x' },
      { name: 'block', devicePath: classicPath },
    ],
    warned: taken,
  },
  {
    what: 'a device of our volume',
    devices: [
      { name: ours, devicePath: '/dev/x' },
      { name: 'x', devicePath: '/x' },
    ],
    warned: taken,
  },
  { what: 'a device of another volume', devices: [{ name: 'x', devicePath: '/x' }], does: ['add', '/c/volumeMounts'] },
  { what: 'our mount as it should be', layout: 'reserved', mounts: [foreign, mount(ours, reservedPath, { readOnly: true })] },
  {
    what: 'our mount at another path',
    layout: 'reserved',
    mounts: [mount(ours, '/own')],
    does: ['replace', '/c/volumeMounts/0'],
  },
  {
    what: 'our mount of a part of the volume',
    layout: 'reserved',
    mounts: [foreign, mount(ours, reservedPath, { subPath: 'x' })],
    does: ['replace', '/c/volumeMounts/1'],
  },
  {
    what: 'our mount at another path, and somebody at the path',
    layout: 'reserved',
    mounts: [mount(ours, '/own'), mount('mine', reservedPath)],
    warned: taken,
  },
  {
    what: 'our mount at another path, and once more at the path',
    layout: 'reserved',
    mounts: [mount(ours, '/own'), mount(ours, reservedPath)],
  },
  { what: 'mounts of others', layout: 'reserved', mounts: [foreign], does: ['add', '/c/volumeMounts/-'] },
]

for (const { what, layout = 'classic', volume = ours, mounts, devices, does, warned } of rows)
  test(`a container with ${what} ${does === undefined ? 'is left alone' : `has one ${does[0]}`}${warned === undefined ? '' : ', and that is told'}, ${layout}`, () => {
    const told: unknown[] = []
    const container = {
      name: 'c0',
      ...(mounts === undefined ? {} : { volumeMounts: mounts }),
      ...(devices === undefined ? {} : { volumeDevices: devices }),
    }
    const wish = mountWish(layout, volume, (message, fields) => told.push([message, fields]))
    const path = layout === 'classic' ? classicPath : reservedPath
    const wanted = { name: volume, mountPath: path, readOnly: true }
    const value = does?.[1] === '/c/volumeMounts' ? [wanted] : wanted
    const operations = does === undefined ? [] : [{ op: does[0], path: does[1], value }]
    assert.deepEqual(mountOperations(container, '/c', wish), operations)
    assert.deepEqual(told, warned === undefined ? [] : [[warned, { container: 'c0', path }]])
  })
