// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Text on its way out of the tool, in large pieces. One command writes it, on one thread.
final class TextOutput {
    private var buffer: [UInt8] = []
    private let sink: ([UInt8]) throws -> Void

    init(_ sink: @escaping ([UInt8]) throws -> Void) { self.sink = sink }

    func write(_ text: String) throws { try write(text.utf8) }

    func writeLine(_ text: String) throws { try write(text + "\n") }

    func write(_ bytes: some Sequence<UInt8>) throws {
        buffer.append(contentsOf: bytes)
        if buffer.count >= 1 << 16 { try flush() }
    }

    func flush() throws {
        guard !buffer.isEmpty else { return }
        defer { buffer.removeAll(keepingCapacity: true) }
        try sink(buffer)
    }
}
