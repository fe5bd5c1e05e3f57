import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isTimeZone, scheduleTrouble } from './schedule.ts'

const noInt = (text: string): string => `failed to parse int from ${text}: strconv.Atoi: parsing "${text}": invalid syntax`

const rows: readonly (readonly [schedule: string, trouble?: string])[] = [
  ['* * * * *'],
  ['? ? ? ? ?'],
  [' 0   0  1 1   0 '],
  ['59 23 31 12 6'],
  ['0-59 0-23 1-31 1-12 0-6'],
  ['*/15 0/2 1-31/7 */3 1,2,3'],
  ['0 0 1 JAN-dec Sun-SAT'],
  ['0 0 * jan mon'],
  ['1,,2 * * * *'],
  ['60 * * * *', 'end of range (60) above maximum (59): 60'],
  ['* 24 * * *', 'end of range (24) above maximum (23): 24'],
  ['* * 32 * *', 'end of range (32) above maximum (31): 32'],
  ['* * 0 * *', 'beginning of range (0) below minimum (1): 0'],
  ['* * * 13 *', 'end of range (13) above maximum (12): 13'],
  ['* * * 0 *', 'beginning of range (0) below minimum (1): 0'],
  ['* * * * 7', 'end of range (7) above maximum (6): 7'],
  ['30-10 * * * *', 'beginning of range (30) beyond end of range (10): 30-10'],
  ['10-10 * * * *'],
  ['1-70/2 * * * *', 'end of range (70) above maximum (59): 1-70/2'],
  ['70/2 * * * *', 'beginning of range (70) beyond end of range (59): 70/2'],
  ['50/20 * * * *'],
  ['1-2-3 * * * *', 'too many hyphens: 1-2-3'],
  ['*/2/3 * * * *', 'too many slashes: */2/3'],
  ['*/0 * * * *', 'step of range should be a positive number: */0'],
  ['*/1 * * * *'],
  ['*/x * * * *', noInt('x')],
  ['x * * * *', noInt('x')],
  ['1-x * * * *', noInt('x')],
  ['jan * * * *', noInt('jan')],
  ['*/-1 * * * *', 'negative number (-1) not allowed: -1'],
  ['+1 * * * *'],
  ['* * * *', 'expected exactly 5 fields, found 4: [* * * *]'],
  ['* * * * * *', 'expected exactly 5 fields, found 6: [* * * * * *]'],
  ['@yearly'],
  ['@annually'],
  ['@monthly'],
  ['@weekly'],
  ['@daily'],
  ['@midnight'],
  ['@hourly'],
  ['@often', 'unrecognized descriptor: @often'],
  ['@every 1h30m'],
  ['@every soon', 'failed to parse duration @every soon: time: invalid duration "soon"'],
  ['TZ=UTC * * * * *'],
  ['CRON_TZ=Europe/Paris @daily'],
  ['TZ=Nowhere * * * * *', 'provided bad location Nowhere: unknown time zone Nowhere'],
  ['TZ= * * * * *'],
]

test('a schedule is five fields or a word, and the first thing that is wrong with it is told', () => {
  assert.deepEqual(
    rows.map(([schedule]) => [schedule, scheduleTrouble(schedule)]),
    rows.map(([schedule, trouble]) => [schedule, trouble]),
  )
})

test('a zone goes by a name of the database, and not by an offset', () => {
  const names = ['UTC', 'Europe/Paris', 'America/New_York', 'Asia/Calcutta', 'Nowhere', '+02:00', 'europe/paris', '']
  assert.deepEqual(names.filter(isTimeZone), ['UTC', 'Europe/Paris', 'America/New_York', 'Asia/Calcutta'])
})
