// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmTestSupport

struct CrashOptions {
    var images = 20_000
    var seed: UInt64 = UInt64.random(in: 0..<1 << 32)
    var workloads = CrashWorkload.all
    var configurations = CrashConfiguration.all
    var run: Int?
    var isExhaustive = false

    init(_ arguments: some Sequence<String>) throws {
        var rest = Array(arguments)[...]
        func value(of option: String) throws -> String {
            guard let value = rest.popFirst() else { throw Failure("\(option) needs a value") }
            return value
        }
        func number(of option: String) throws -> Int {
            guard let number = Int(try value(of: option)), number >= 0 else {
                throw Failure("\(option) needs a number")
            }
            return number
        }
        while let option = rest.popFirst() {
            switch option {
            case "--images": images = try number(of: option)
            case "--seed": seed = UInt64(try number(of: option))
            case "--run": run = try number(of: option)
            case "--exhaustive": isExhaustive = true
            case "--workload":
                let name = try value(of: option)
                workloads = CrashWorkload.all.filter { $0.name == name }
                guard !workloads.isEmpty else { throw Failure("no workload \(name)") }
            case "--plain", "--encrypted":
                configurations = CrashConfiguration.all.filter { "--\($0.name)" == option }
                guard !configurations.isEmpty else { throw Failure("no configuration for \(option)") }
            default: throw Failure("unknown option \(option)")
            }
        }
    }
}
