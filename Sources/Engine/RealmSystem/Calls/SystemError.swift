// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if canImport(Darwin)
    @_exported import Darwin
#elseif canImport(Musl)
    @_exported import Musl
#else
    @_exported import Glibc
#endif

package struct SystemError: Error, Sendable, CustomStringConvertible {
    package let call: String
    package let path: String
    package let number: Int32
    /// The message, if the system's own text for the number isn't sufficient.
    private let text: String?

    package init(_ call: String, path: String, number: Int32, reason: String? = nil) {
        self.call = call
        self.path = path
        self.number = number
        text = reason
    }

    /// Captures `errno`. Call it before anything else can change it.
    package static func last(_ call: String, path: String) -> SystemError {
        SystemError(call, path: path, number: errno)
    }

    package var reason: String {
        if let text { return text }
        return unsafe String(cString: strerror(number))
    }
    package var description: String { "\(call) failed for '\(path)': \(reason)" }
}

func retrying(_ call: () -> Int) -> Int {
    while true {
        let result = call()
        if result != -1 || errno != EINTR { return result }
    }
}
