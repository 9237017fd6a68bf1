// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    package enum PeerAddress {
        /// For an IPv6 address, returns its network, because a client has all of the network's 2^64 addresses.
        package static func unit(of peer: String) -> String {
            guard peer.contains(":"), !peer.contains(".") else { return peer }
            let halves = peer.split(separator: "%", maxSplits: 1)[0].split(
                separator: "::", maxSplits: 1, omittingEmptySubsequences: false)
            let front = halves[0].split(separator: ":")
            let back = halves.count > 1 ? halves[1].split(separator: ":") : []
            let zeros = Array(repeating: Substring("0"), count: max(0, 8 - front.count - back.count))
            return (front + (halves.count > 1 ? zeros : []) + back).prefix(4).joined(separator: ":")
        }
    }
#endif
