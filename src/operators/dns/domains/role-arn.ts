// What counts as the ARN of a role: as little as the existing operator asks, and as much as AWS does.

/** What the AWS SDK calls an ARN: it begins as one, and has all of its sections. */
export function isArn(text: string): boolean {
  return text.startsWith('arn:') && text.split(':').length > 5
}

/** What AWS would take as a role. */
export function isRoleArn(text: string): boolean {
  return text.length <= 2048 && /^arn:(?:aws|aws-cn|aws-us-gov|aws-iso[a-z-]*):iam::[0-9]{12}:role\/.+$/.test(text)
}
