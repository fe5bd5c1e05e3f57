// Text that leaves the process: no ARN, no account, no key, no request id. ARNs go first, since they hold the others.

const rules: readonly (readonly [RegExp, string])[] = [
  [/\barn:aws[a-z-]*:[^\s"'`,()[\]{}]*/g, '[ARN]'],
  [/\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g, '[ACCESS_KEY]'],
  [/(?<!\d)\d{12}(?!\d)/g, '[ACCOUNT_ID]'],
  [/(request ?id)("?\s*[:=]\s*"?)[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi, '$1$2[REQUEST_ID]'],
  [
    /\b((?:role)?session_?name|external_?id|(?:session_?|security_?)?token)(\s*=\s*)(?!\[REDACTED\])[^\s,;"']+/gi,
    '$1$2[REDACTED]',
  ],
]

export function sanitise(text: string): string {
  let clean = text
  for (const [pattern, replacement] of rules) clean = clean.replace(pattern, replacement)
  return clean
}
