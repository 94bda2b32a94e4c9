/** What a provider can be asked about its models. */

/** What is known of a model; what nobody has said is absent. */
export type ModelInfo = {
  name: string;
  /** The context window that a request can use, in tokens. */
  windowTokens?: number;
  /** The most that one reply may hold, in tokens. */
  outputTokensMax?: number;
  takesTools?: boolean;
  takesImages?: boolean;
  thinks?: boolean;
  /** Size in parameters, for local models: 8.0e9. */
  parameters?: number;
};

/** Asked of a provider, not of a table: what a server says of itself comes first. */
export interface ModelSource {
  /** The models that can be used, as the server lists them. Throws ProviderError, or the signal's reason. */
  models(signal: AbortSignal): Promise<readonly ModelInfo[]>;
  /** What is known of one model. The server is asked once; one that does not answer leaves only the name. */
  model(name: string, signal: AbortSignal): Promise<ModelInfo>;
  /** How tools are offered to a model: by the API's own calls, or described in the prompt. */
  protocolOf(model: string, signal: AbortSignal): Promise<"native" | "text">;
}
