import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type FieldError, renderFieldError } from '../field-error.ts'
import { checkUrl } from './urls.ts'

const form = '; desired format: https://host[/path]'
const scheme = (value = ''): string => `Invalid value: "${value}": 'https' is the only allowed URL scheme${form}`
const host = `Invalid value: "": host must be specified${form}`
const unread = (url: string, why: string): string => `Required value: url must be a valid URL: parse "${url}": ${why}${form}`

const rows: readonly (readonly [url: string, ...told: string[]])[] = [
  ['https://a.b'],
  ['HTTPS://a.b:8443/c d'],
  ['https://[::1]:80'],
  ['https://a:99999/'],
  ['https://a:1:2'],
  ['https://a%C3%A4'],
  ['https://a.b?'],
  ['https://a#'],
  ['', scheme(), host],
  ['../a', scheme(), host],
  ['a/b:c', scheme(), host],
  ['//a', scheme()],
  ['a:b', scheme('a'), host],
  ['https:/a', host],
  ['https://a@b@c', 'Invalid value: "a%40b": user information is not permitted in the URL'],
  [
    'ftp://u@/x?q=1#f',
    scheme('ftp'),
    host,
    'Invalid value: "u": user information is not permitted in the URL',
    'Invalid value: "f": fragments are not permitted in the URL',
    'Invalid value: "q=1": query parameters are not permitted in the URL',
  ],
  ['https://a?%zz', 'Invalid value: "%zz": query parameters are not permitted in the URL'],
  [':a', unread(':a', 'missing protocol scheme')],
  ['1a:b', unread('1a:b', 'first path segment in URL cannot contain colon')],
  ['http_s://a', unread('http_s://a', 'first path segment in URL cannot contain colon')],
  ['https://a b', unread('https://a b', 'invalid character " " in host name')],
  ['https://a|b', unread('https://a|b', 'invalid character "|" in host name')],
  ['https://a b@c', unread('https://a b@c', 'net/url: invalid userinfo')],
  ['https://a%zz@c', unread('https://a%zz@c', 'invalid URL escape "%zz"')],
  ['https://a:b', unread('https://a:b', 'invalid port ":b" after host')],
  ['https://[::1]x', unread('https://[::1]x', 'invalid port "x" after host')],
  ['https://[::1', unread('https://[::1', "missing ']' in host")],
  ['https://a[b', unread('https://a[b', 'invalid IP-literal')],
  ['https://a%20b', unread('https://a%20b', 'invalid URL escape "%20"')],
  ['https://a%', unread('https://a%', 'invalid URL escape "%"')],
  ['https://a/%zz', unread('https://a/%zz', 'invalid URL escape "%zz"')],
  ['https://a/%2', unread('https://a/%2', 'invalid URL escape "%2"')],
  ['%zz', unread('%zz', 'invalid URL escape "%zz"')],
  ['https://a/b#%zz', unread('https://a/b#%zz', 'invalid URL escape "%zz"')],
  ['https://a\tb', unread('https://a\\tb', 'net/url: invalid control character in URL')],
  ['https://a/\u0001', unread('https://a/\\x01', 'net/url: invalid control character in URL')],
]

for (const [url, ...told] of rows)
  test(`the address ${JSON.stringify(url)} of a webhook is ${told.length === 0 ? 'taken' : 'refused'}`, () => {
    const errors: FieldError[] = []
    checkUrl(url, 'url', errors)
    assert.deepEqual(
      errors.map(renderFieldError),
      told.map(line => `url: ${line}`),
    )
  })
