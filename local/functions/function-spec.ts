/** What local AWS needs to know of one Lambda function. */
export interface FunctionSpec {
  readonly logicalId: string;
  /** The folder name of its bundle, such as `receive`: what people call it. */
  readonly key: string;
  readonly name: string;
  readonly arn: string;
  /** Absolute path of the folder with the bundle. */
  readonly codeDirectory: string;
  /** `<module>.<export>`. */
  readonly handler: string;
  readonly timeoutMs: number;
  readonly memoryMb: number;
  readonly logGroup: string;
  readonly logFormat: 'Text' | 'JSON';
  readonly logLevel: string | undefined;
  readonly environment: Readonly<Record<string, string>>;
}
