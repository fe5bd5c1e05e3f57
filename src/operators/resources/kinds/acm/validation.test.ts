import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Resource } from '../../api.ts'
import { validateWithZone, validationRecords } from './validation.ts'

const told = { validationMethod: 'DNS', resourceRecord: { name: '_1.a.example.com.', type_: 'CNAME', value: '_2.acm.' } }
const untold = { validationMethod: 'DNS' }
const other = { ...told, resourceRecord: { ...told.resourceRecord, name: '_3.b.example.com.' } }

for (const [what, zone, status, domainValidations, records] of [
  ['names no zone', undefined, 'PENDING_VALIDATION', [told], 0],
  ['names an empty zone', '', 'PENDING_VALIDATION', [told], 0],
  ['was told its record', 'Z1', 'PENDING_VALIDATION', [told], 1],
  ['was told two', 'Z1', 'PENDING_VALIDATION', [told, other], 2],
  ['has a domain and its wildcard', 'Z1', 'PENDING_VALIDATION', [told, told], 1],
  ['was told nothing yet', 'Z1', 'PENDING_VALIDATION', [], undefined],
  ['was told one of two', 'Z1', 'PENDING_VALIDATION', [told, untold], undefined],
  ['is issued without a record', 'Z1', 'ISSUED', [untold], 0],
  ['is issued with its record', 'Z1', 'ISSUED', [told], 1],
  ['is issued and tells nothing', 'Z1', 'ISSUED', [], 0],
  ['is validated by mail', 'Z1', 'ISSUED', [{ ...told, validationMethod: 'EMAIL' }], 0],
] as const)
  test(`a certificate that ${what} ${records === undefined ? 'waits for its records' : `has ${records} records`}`, () => {
    const metadata = {
      namespace: 'team',
      name: 'c',
      uid: 'u',
      annotations: zone === undefined ? {} : { [validateWithZone]: zone },
    }
    const found = validationRecords(
      { metadata } as unknown as Resource,
      { spec: {}, status: { status, domainValidations } } as never,
    )
    assert.equal(found?.length, records)
  })
