// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSyncCore

/// The functions of an app's server, which can be called like methods.
///
/// ```swift
/// let sum = try await user.functions.sum(1, 2)
/// user.functions.sum([1, 2]) { result in … }
/// ```
///
/// It can be used from any thread.
@dynamicMemberLookup @frozen public struct Functions: Sendable {
    let user: User

    init(_ user: User) { self.user = user }

    /// A function that receives a result, or an error.
    public typealias FunctionCompletionHandler = @Sendable (AnyBSON?, Error?) -> Void

    /// A server function that passes its result to a closure, which is called on any thread.
    public typealias Function = @Sendable ([AnyBSON], @escaping FunctionCompletionHandler) -> Void

    /// Returns the server function with this name.
    public subscript(dynamicMember string: String) -> Function {
        let callable = FunctionCallable(name: string, user: user)
        return { arguments, completion in
            completing({ (result: Result<AnyBSON, any Error>) in
                switch result {
                case .success(let value): completion(value, nil)
                case .failure(let error): completion(nil, error)
                }
            }) { try await callable.call(arguments) }
        }
    }

    /// A function that receives a result, or an error.
    public typealias ResultFunctionCompletionHandler = @Sendable (Result<AnyBSON, Error>) -> Void

    /// A server function that passes its result to a closure, which is called on any thread.
    public typealias ResultFunction = @Sendable ([AnyBSON], @escaping ResultFunctionCompletionHandler) -> Void

    /// Returns the server function with this name.
    @preconcurrency public subscript(dynamicMember string: String) -> ResultFunction {
        let callable = FunctionCallable(name: string, user: user)
        return { arguments, completion in completing(completion) { try await callable.call(arguments) } }
    }

    /// Returns the server function with this name, for a call with `await`.
    public subscript(dynamicMember string: String) -> FunctionCallable {
        FunctionCallable(name: string, user: user)
    }
}

/// A function of a server, which can be called with any number of arguments.
@dynamicCallable public struct FunctionCallable: Sendable {
    let name: String
    let user: User

    package func call(_ arguments: [AnyBSON]) async throws -> AnyBSON {
        let answer = try await user.send(.function(name, arguments.map(\.json)))
        let json = try JSON(answer: answer)
        guard let value = ExtendedJSON(json).flatMap({ AnyBSON($0) }) else {
            throw AppError(.unknown, "The result of the function '\(name)' is not Extended JSON.")
        }
        return value
    }

    /// Calls the function.
    ///
    /// - Throws: `AppError`.
    public func dynamicallyCall(withArguments args: [AnyBSON]) async throws -> AnyBSON { try await call(args) }

    /// Calls the function with the elements of an array as its arguments.
    ///
    /// - Throws: `AppError`.
    @_disfavoredOverload
    @available(*, deprecated, message: "Specify args separately without wrapping them in an array")
    public func dynamicallyCall(withArguments args: [[AnyBSON]]) async throws -> AnyBSON {
        try await call(args.first ?? [])
    }
}
