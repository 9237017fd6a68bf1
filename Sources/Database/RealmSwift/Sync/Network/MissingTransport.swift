// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// The transport of programs that are built without the package trait `Sync`, and so without a networking library.
struct MissingTransport: RLMNetworkTransport {
    func sendRequest(toServer request: RLMRequest, completion: @escaping RLMNetworkTransportCompletionBlock) {
        let text = """
            Nothing can be sent: the package Regnum is built without its trait "Sync". Enable it where your package \
            depends on Regnum (traits: ["Sync"]), or set a transport in the AppConfiguration.
            """
        completion(RLMResponse(body: text, customStatusCode: -1))
    }
}

func defaultTransport() -> any RLMNetworkTransport {
    #if canImport(Darwin) || Sync
        URLSessionTransport()
    #else
        MissingTransport()
    #endif
}
