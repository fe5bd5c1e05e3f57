// What an operand or AWS says, without what tells strangers about accounts: ARNs, account numbers, key ids and request ids.

export function sanitize(text: string): string {
  return text
    .replaceAll(/arn:aws[\w-]*:[^\s"',)]*/g, '[ARN]')
    .replaceAll(/\b(?:AKIA|ASIA)[A-Z0-9]{8,}\b/g, '[ACCESS_KEY]')
    .replaceAll(/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi, '[REQUEST_ID]')
    .replaceAll(/\b\d{12}\b/g, '[ACCOUNT_ID]')
}

/** The name of a role, without its account. */
export function roleNameOf(arn: string): string {
  return arn.split('/').at(-1) ?? ''
}
