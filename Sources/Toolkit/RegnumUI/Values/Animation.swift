// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// The animation of a change. In the browser host, every change is shown at once.
public struct Animation: Hashable, Sendable {
    let duration: Double

    /// The default animation.
    public static let `default` = Animation(duration: 0.35)
    /// An animation that starts slowly.
    public static let easeIn = Animation(duration: 0.35)
    /// An animation that ends slowly.
    public static let easeOut = Animation(duration: 0.35)
    /// An animation that starts and ends slowly.
    public static let easeInOut = Animation(duration: 0.35)
    /// An animation of constant speed.
    public static let linear = Animation(duration: 0.35)
    /// A bouncy spring animation.
    public static let bouncy = Animation(duration: 0.5)
    /// A smooth spring animation.
    public static let smooth = Animation(duration: 0.5)
    /// A snappy spring animation.
    public static let snappy = Animation(duration: 0.5)
    /// A spring animation.
    public static let spring = Animation(duration: 0.5)

    /// Returns an animation that starts slowly.
    public static func easeIn(duration: Double) -> Animation { Animation(duration: duration) }
    /// Returns an animation that ends slowly.
    public static func easeOut(duration: Double) -> Animation { Animation(duration: duration) }
    /// Returns an animation that starts and ends slowly.
    public static func easeInOut(duration: Double) -> Animation { Animation(duration: duration) }
    /// Returns an animation of constant speed.
    public static func linear(duration: Double) -> Animation { Animation(duration: duration) }
    /// Returns a spring animation.
    public static func spring(
        response: Double = 0.5, dampingFraction: Double = 0.825, blendDuration: Double = 0
    ) -> Animation { Animation(duration: response) }
    /// Returns an interactive spring animation.
    public static func interactiveSpring(
        response: Double = 0.15, dampingFraction: Double = 0.86, blendDuration: Double = 0.25
    ) -> Animation { Animation(duration: response) }
    /// Returns an animation with a Bézier timing curve.
    public static func timingCurve(
        _ c0x: Double, _ c0y: Double, _ c1x: Double, _ c1y: Double, duration: Double = 0.35
    ) -> Animation { Animation(duration: duration) }
    /// Returns the animation with a delayed start.
    public func delay(_ delay: Double) -> Animation { self }
    /// Returns the animation with its duration divided by `speed`.
    public func speed(_ speed: Double) -> Animation { Animation(duration: speed > 0 ? duration / speed : duration) }
    /// Returns the animation with a number of repetitions.
    public func repeatCount(_ repeatCount: Int, autoreverses: Bool = true) -> Animation { self }
    /// Returns the animation with endless repetition.
    public func repeatForever(autoreverses: Bool = true) -> Animation { self }
}

/// The context of a state change. Has no effect in the browser host.
public struct Transaction: Sendable {
    /// The animation of the change.
    public var animation: Animation?
    /// A Boolean value that indicates whether animations of views are disabled.
    public var disablesAnimations = false

    /// Creates a transaction.
    public init(animation: Animation? = nil) { self.animation = animation }
}

/// The transition of a view that appears or disappears. In the browser host, it's shown at once.
public struct AnyTransition: Sendable {
    /// A transition without animation.
    public static let identity = AnyTransition()
    /// A transition by fading.
    public static let opacity = AnyTransition()
    /// A transition by scaling.
    public static let scale = AnyTransition()
    /// A transition by sliding.
    public static let slide = AnyTransition()
    /// Returns a transition by scaling from an anchor.
    public static func scale(scale: CGFloat, anchor: UnitPoint = .center) -> AnyTransition { AnyTransition() }
    /// Returns a transition by moving from an edge.
    public static func move(edge: Edge) -> AnyTransition { AnyTransition() }
    /// Returns a transition by pushing from an edge.
    public static func push(from edge: Edge) -> AnyTransition { AnyTransition() }
    /// Returns a transition with different animations of insertion and removal.
    public static func asymmetric(insertion: AnyTransition, removal: AnyTransition) -> AnyTransition { insertion }
    /// Returns a combination of two transitions.
    public func combined(with other: AnyTransition) -> AnyTransition { self }
    /// Returns the transition with an animation.
    public func animation(_ animation: Animation?) -> AnyTransition { self }
}

/// Runs a closure and animates its changes. In the browser host, they're shown at once.
public func withAnimation<Result>(
    _ animation: Animation? = .default, _ body: () throws -> Result
) rethrows -> Result {
    try body()
}

/// Runs a closure and applies a transaction to its changes. In the browser host, the transaction has no effect.
public func withTransaction<Result>(_ transaction: Transaction, _ body: () throws -> Result) rethrows -> Result {
    try body()
}
